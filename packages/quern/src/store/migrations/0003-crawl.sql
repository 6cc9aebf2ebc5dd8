create table crawls (
  crawl bigint primary key,
  job_id text not null unique,
  last_seq bigint not null default 0,
  max_pages bigint not null,
  stored bigint not null default 0,
  active bigint not null default 0,
  tally text not null
);

create table crawl_members (
  crawl bigint not null,
  member bigint not null,
  holder_id text not null,
  lease_until bigint not null,
  primary key (crawl, member)
);

create table crawl_hosts (
  crawl bigint not null,
  host text not null,
  queued bigint not null check (queued >= 0),
  primary key (crawl, host)
);

create table crawl_urls (
  crawl bigint not null,
  seq bigint not null,
  host text not null,
  url text not null,
  depth bigint not null,
  parent bigint,
  state bigint not null default 0,
  source text not null,
  title text,
  lastmod text,
  member bigint,
  simhash text,
  status_code bigint,
  code text,
  message text,
  primary key (crawl, seq)
);
create index crawl_urls_by_turn on crawl_urls (crawl, state, host, depth, seq);

create table crawl_keys (
  crawl bigint not null,
  key text not null,
  seq bigint not null,
  primary key (crawl, key)
);

create table host_leases (
  host text primary key,
  holder_id text not null,
  lease_until bigint not null,
  wanted bigint not null default 0,
  pace text not null default 'null',
  used_at bigint not null
)
