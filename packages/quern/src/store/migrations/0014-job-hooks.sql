alter table jobs rename column monitor_id to owner_id;
alter table jobs rename column webhook to notify;
alter table jobs add column effects bigint not null default 0;
update jobs set effects = 1 where walks = 0 and total is null and discovered > 0 and status in ('queued', 'running')
