create table receipts (
  slot text primary key,
  commit_id text not null,
  at bigint not null
);

create table rates (
  key text primary key,
  ends_at bigint not null,
  n bigint not null
);
create index rates_by_end on rates (ends_at);

alter table reservations add column place bigint not null default 0;
create index reservations_by_place on reservations (tenant_id) where place = 1
