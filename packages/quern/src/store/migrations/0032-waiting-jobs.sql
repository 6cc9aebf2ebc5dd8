alter table jobs add column waits bigint not null default 0;
alter table jobs add column waiting_since bigint;
alter table jobs add column waiting_for text;
alter table jobs add column waiting_progress bigint;
alter table jobs add column paused_ms bigint not null default 0;
create index jobs_waiting on jobs (waiting_since) where status = 'queued' and waiting_since is not null
