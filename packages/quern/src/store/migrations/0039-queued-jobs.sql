create index jobs_by_turn_of_owner on jobs (tenant_id, due_at, id, owner_id) where status = 'queued';
drop index jobs_by_turn;
create index jobs_by_due_short on jobs (due_at) where status = 'queued' and long_running = 0
