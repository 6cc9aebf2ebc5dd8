create table jobs (
  id text primary key,
  tenant_id text not null,
  request_id text not null,
  kind text not null,
  walks bigint not null default 0,
  input text,
  max_credits bigint,
  status text not null
    check (status in ('queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
  attempt bigint not null default 0,
  cancel_requested bigint not null default 0,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  expires_at bigint,
  due_at bigint not null,
  lease_token text,
  lease_until bigint,
  worker_id text,
  version bigint not null default 1,
  discovered bigint not null default 0,
  completed bigint not null default 0,
  failed bigint not null default 0,
  total bigint,
  pending bigint,
  stop_reason text,
  error_code text,
  error_message text,
  usage text,
  segments bigint not null default 0,
  archived bigint not null default 0,
  stored bigint not null default 0
);
create index jobs_by_due on jobs (due_at) where status = 'queued';
create index jobs_by_turn on jobs (tenant_id, due_at, id) where status = 'queued';
create index jobs_by_turn_short on jobs (tenant_id, due_at, id) where status = 'queued' and walks = 0;
create index jobs_by_lease on jobs (lease_until) where status = 'running';
create index jobs_by_expiry on jobs (status, expires_at) where expires_at is not null;
create index jobs_by_tenant on jobs (tenant_id, id);
create index jobs_to_empty on jobs (id) where status = 'expired' and stored = 1;

create table result_segments (
  job_id text not null,
  seq bigint not null,
  items bigint not null,
  bytes bigint not null,
  packed_bytes bigint not null,
  packed blob,
  object text,
  primary key (job_id, seq)
);
create index result_segments_by_object on result_segments (object) where object is not null;

create table kept_answers (
  tenant_id text not null,
  key text not null,
  request_hash text not null,
  request_id text not null,
  holder_id text not null,
  answer text,
  kept_until bigint not null,
  primary key (tenant_id, key)
);
create index kept_answers_by_age on kept_answers (kept_until)
