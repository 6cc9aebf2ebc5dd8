drop table cached_pages;

create table cached_pages (
  folder text not null,
  tenant_id text not null,
  key text not null,
  stored_at bigint not null,
  url text not null,
  status bigint not null,
  headers text not null,
  content_type text not null,
  wire_bytes bigint not null,
  warnings text not null,
  file text not null,
  bytes bigint not null,
  primary key (folder, tenant_id, key)
);
create index cached_pages_by_age on cached_pages (folder, stored_at);
create index cached_pages_by_file on cached_pages (folder, file)
