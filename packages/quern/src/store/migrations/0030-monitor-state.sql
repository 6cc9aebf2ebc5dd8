alter table monitors add column unseen_runs bigint not null default 0;
alter table monitors add column unseen_since bigint;
alter table monitors add column failing_at bigint;
alter table monitors add column recovery_due bigint not null default 0;
alter table monitors add column rest_announced bigint not null default 0;
update monitors set unseen_runs = consecutive_failures, unseen_since = failing_since where consecutive_failures > 0;
create index tenants_suspended on tenants (id) where suspended_at is not null;
create index monitors_to_rest on monitors (tenant_id) where active = 1 and rest_announced = 0 and cron is not null
