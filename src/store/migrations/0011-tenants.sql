create index jobs_running_by_tenant on jobs (tenant_id) where status = 'running';
alter table jobs add column summary text;
alter table jobs add column nth bigint;
alter table jobs add column input_sum bigint;
create index jobs_by_nth on jobs (tenant_id, nth, input_sum) where nth is not null;
alter table monitors add column summary text
