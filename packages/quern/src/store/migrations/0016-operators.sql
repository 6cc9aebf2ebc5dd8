alter table api_keys add column prefix text;
alter table api_keys add column last_used_at text;
alter table api_keys add column expires_at text;
alter table api_keys add column operator bigint not null default 0;
create index api_keys_by_tenant on api_keys (tenant_id, id)
