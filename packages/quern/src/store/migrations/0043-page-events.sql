create index deliveries_of_pages on deliveries (created_at) where type = 'crawl.page'
