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
drop index deliveries_by_turn;
alter table artifacts add column created_at bigint not null default 0;
create index artifacts_by_creation on artifacts (created_at, bytes) where stored = 1;
alter table kept_answers add column bytes bigint not null default 0;
create index kept_answers_long on kept_answers (kept_until, bytes) where bytes > 4096;
create index kept_answers_by_tenant on kept_answers (tenant_id, kept_until, bytes) where bytes > 4096;
create index jobs_stored_by_end on jobs (finished_at)
  where stored = 1 and status in ('completed', 'failed', 'cancelled');
create index result_segments_in_rows on result_segments (job_id, seq, packed_bytes) where object is null;
create index result_segments_in_objects on result_segments (job_id, seq, packed_bytes) where object is not null
