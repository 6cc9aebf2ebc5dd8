create table console_sessions (
  hash text primary key,
  key_id text not null,
  created_at bigint not null,
  idle_until bigint not null,
  ends_at bigint not null
);
create index console_sessions_by_key on console_sessions (key_id, created_at);
create index console_sessions_by_idle on console_sessions (idle_until);
create table console_links (
  hash text primary key,
  key_id text not null,
  expires_at bigint not null
);
alter table api_keys add column signed_in_at text
