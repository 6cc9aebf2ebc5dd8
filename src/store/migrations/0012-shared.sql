create table receipts (
  slot text primary key,
  commit_id text not null,
  at bigint not null
)
