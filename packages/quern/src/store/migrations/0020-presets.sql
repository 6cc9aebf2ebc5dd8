alter table monitors add column expires_at bigint;
alter table monitors add column providers text;
create index monitors_by_expiry on monitors (expires_at) where active = 1 and expires_at is not null;
