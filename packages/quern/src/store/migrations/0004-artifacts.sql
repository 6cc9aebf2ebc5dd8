create table artifacts (
  id text primary key,
  tenant_id text not null,
  job_id text,
  content_type text not null,
  bytes bigint not null,
  packed blob,
  object text,
  stored bigint not null default 1,
  expires_at bigint not null
);
create index artifacts_by_expiry on artifacts (stored, expires_at);
create index artifacts_by_job on artifacts (job_id) where job_id is not null
