alter table cached_pages add column indexed bigint not null default 0;
create index cached_pages_to_index on cached_pages (folder, stored_at) where indexed = 0
