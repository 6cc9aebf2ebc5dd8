alter table crawl_urls add column deaths bigint not null default 0
