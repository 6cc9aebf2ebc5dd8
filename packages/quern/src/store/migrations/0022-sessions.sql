create table sessions (
  id text primary key,
  tenant_id text not null,
  name text not null,
  version bigint not null,
  sealed text,
  summary text,
  bytes bigint not null,
  idle_ms bigint not null,
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null
);
create unique index sessions_by_name on sessions (tenant_id, name);
create index sessions_by_expiry on sessions (expires_at)
