create index jobs_running_by_tenant on jobs (tenant_id) where status = 'running'
