alter table site_health add column failed_for text not null default '[]';
alter table site_health add column empty_for text not null default '[]'
