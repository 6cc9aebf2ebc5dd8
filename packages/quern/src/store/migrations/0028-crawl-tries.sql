alter table crawl_urls add column tries bigint not null default 0
