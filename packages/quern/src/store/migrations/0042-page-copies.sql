create table page_copies (
  tenant_id text not null,
  key text not null,
  version text not null,
  fetched_at bigint not null,
  digest text not null,
  packed blob not null,
  raw_bytes bigint not null,
  bytes bigint not null,
  primary key (tenant_id, key)
);
create index page_copies_by_tenant on page_copies (tenant_id, fetched_at, bytes);
create index page_copies_by_age on page_copies (fetched_at, tenant_id, bytes)
