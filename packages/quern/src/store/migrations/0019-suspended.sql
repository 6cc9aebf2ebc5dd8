alter table tenants add column suspended_at text;
