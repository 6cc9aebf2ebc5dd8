alter table holders rename to processes;
alter table reservations rename column holder_id to process_id;
alter table crawl_members rename column holder_id to process_id;
alter table host_leases rename column holder_id to process_id;
drop index kept_answers_by_age;
drop index kept_answers_open;
drop index kept_answers_long;
drop index kept_answers_by_tenant;
alter table kept_answers rename to idempotent_answers;
alter table idempotent_answers rename column holder_id to process_id;
create index idempotent_answers_by_age on idempotent_answers (kept_until);
create index idempotent_answers_open on idempotent_answers (process_id) where answer is null;
create index idempotent_answers_long on idempotent_answers (kept_until, bytes) where bytes > 4096;
create index idempotent_answers_by_tenant on idempotent_answers (tenant_id, kept_until, bytes) where bytes > 4096;
alter table jobs rename column walks to long_running;
alter table monitors rename column walks to long_running;
alter table monitors drop column baseline_version;
alter table monitor_runs rename column seen to snapshot;
alter table crawls rename column tally to counters;
update crawls set counters = replace(replace(replace(replace(counters,
  '"anchor":', '"baseUrl":'), '"made":', '"modelOutputs":'), '"twins":', '"duplicates":'), '"beyond":', '"overPattern":');
alter table webhooks rename column line to queue;
alter table deliveries rename column line to queue;
drop index deliveries_by_line;
create index deliveries_by_queue on deliveries (queue, due_at, id) where status = 'pending';
drop index jobs_by_lease
