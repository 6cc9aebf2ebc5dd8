create table tenants (
  id text primary key,
  name text not null,
  plan text not null,
  created_at text not null,
  cycle text not null,
  used bigint not null default 0 check (used >= 0),
  topped_up bigint not null default 0 check (topped_up >= 0),
  day text not null,
  day_used bigint not null default 0 check (day_used >= 0),
  reserved bigint not null default 0 check (reserved >= 0)
);

create table api_keys (
  id text primary key,
  tenant_id text not null,
  name text not null,
  lookup text not null,
  hash text not null unique,
  created_at text not null,
  revoked_at text
);
create index api_keys_by_lookup on api_keys (lookup);

create table holders (
  id text primary key,
  seen_at bigint not null
);

create table reservations (
  key text primary key,
  tenant_id text not null,
  credits bigint not null check (credits >= 0),
  holder_id text not null
);

create table ledger (
  key text primary key,
  tenant_id text not null,
  at text not null,
  cycle text not null,
  day text not null,
  kind text not null,
  operation text not null,
  credits bigint not null
);
create index ledger_by_day on ledger (tenant_id, day, operation);

create table requests (
  tenant_id text not null,
  id text not null,
  at text not null,
  operation text not null,
  status bigint not null,
  code text,
  credits bigint not null,
  tier text,
  duration_ms bigint not null,
  attempts text not null,
  primary key (tenant_id, id)
);
create index requests_by_time on requests (at);

create table cached_pages (
  folder text not null,
  tenant_id text not null,
  key text not null,
  stored_at bigint not null,
  sealed text not null,
  file text not null unique,
  bytes bigint not null,
  primary key (folder, tenant_id, key)
);
create index cached_pages_by_age on cached_pages (folder, stored_at)
