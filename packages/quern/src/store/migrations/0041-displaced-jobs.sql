create index jobs_by_turn_long on jobs (tenant_id, due_at, id) where status = 'queued' and long_running = 1;
alter table jobs add column displaced_at bigint
