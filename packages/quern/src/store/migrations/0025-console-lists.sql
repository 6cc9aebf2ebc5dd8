alter table crawl_urls add column ordinal bigint;
alter table crawl_urls add column bytes bigint;
alter table crawl_urls add column near bigint not null default 0;

create table crawl_pages (
  job_id text not null,
  seq bigint not null,
  url text not null,
  depth bigint not null,
  state bigint not null,
  status_code bigint,
  title text,
  bytes bigint,
  near bigint not null,
  code text,
  message text,
  ordinal bigint,
  primary key (job_id, seq)
);
create table kept_crawls (
  job_id text primary key
);

create index deliveries_by_tenant on deliveries (tenant_id, id);
create index webhooks_by_tenant on webhooks (tenant_id, owner_id)
