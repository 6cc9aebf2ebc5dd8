create index jobs_stored_by_tenant on jobs (tenant_id, finished_at)
  where stored = 1 and status in ('completed', 'failed', 'cancelled');
drop index jobs_stored_by_end;
create index artifacts_by_tenant on artifacts (tenant_id, created_at) where stored = 1
