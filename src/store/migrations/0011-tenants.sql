create index jobs_running_by_tenant on jobs (tenant_id) where status = 'running';
alter table jobs add column summary text;
alter table jobs add column nth bigint;
alter table jobs add column input_sum bigint;
create index jobs_by_nth on jobs (tenant_id, nth, input_sum) where nth is not null;
alter table monitors add column summary text;
alter table webhooks add column line text not null default '';
alter table deliveries add column line text not null default '';
update webhooks set line = endpoint || ' ' || tenant_id || ' ';
update deliveries set line = endpoint || ' ' || tenant_id || ' ' where status in ('pending', 'delivering', 'suspended');
create index deliveries_by_line on deliveries (line, due_at, id) where status = 'pending';
drop index deliveries_by_turn
