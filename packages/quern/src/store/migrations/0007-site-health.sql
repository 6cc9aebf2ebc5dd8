create table site_health (
  endpoint text primary key,
  served bigint not null default 0,
  failed_in_row bigint not null default 0,
  empty_in_row bigint not null default 0,
  recent text not null,
  usual text not null,
  level text not null default 'good',
  source text,
  last_success_at text,
  last_failure_at text,
  last_failure text
)
