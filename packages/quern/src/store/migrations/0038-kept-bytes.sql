alter table jobs add column result_bytes bigint not null default 0;
alter table jobs add column evicted_for text;
alter table artifacts add column evicted_for text;
update jobs set result_bytes = (select coalesce(sum(packed_bytes), 0) from result_segments where job_id = jobs.id)
  where stored = 1;
create index jobs_kept_by_tenant on jobs (tenant_id, finished_at, result_bytes)
  where stored = 1 and status in ('completed', 'failed', 'cancelled');
drop index jobs_stored_by_tenant;
create index artifacts_kept_by_tenant on artifacts (tenant_id, created_at, bytes) where stored = 1;
drop index artifacts_by_tenant;
create index cached_pages_by_age on cached_pages (folder, stored_at, file, bytes, tenant_id);
drop index cached_pages_by_size
