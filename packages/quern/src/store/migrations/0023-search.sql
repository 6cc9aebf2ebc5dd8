alter table jobs add column indexed bigint not null default 0;
create index jobs_to_index on jobs (id)
  where indexed = 0 and stored = 1 and kind in ('crawl', 'fetch') and status in ('completed', 'failed', 'cancelled')
