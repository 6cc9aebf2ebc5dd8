drop index jobs_to_index;
create index jobs_to_index on jobs (id)
  where indexed = 0 and stored = 1 and kind in ('crawl', 'fetch', 'fetch.batch') and status in ('completed', 'failed', 'cancelled')
