create table ledger_days (
  tenant_id text not null,
  day text not null,
  operation text not null,
  calls bigint not null,
  credits bigint not null,
  primary key (tenant_id, day, operation)
);
insert into ledger_days (tenant_id, day, operation, calls, credits)
  select tenant_id, day, operation, sum(case when kind = 'charge' then 1 else 0 end), sum(credits)
  from ledger where kind <> 'top_up' group by tenant_id, day, operation;
drop index ledger_by_day;

create index requests_by_refusal on requests (tenant_id, status, id) where status <> 200;
create index jobs_to_forget on jobs (finished_at) where status = 'expired' and stored = 0;
create index cached_pages_by_size on cached_pages (folder, stored_at, file, bytes);
drop index cached_pages_by_age;
create index kept_answers_open on kept_answers (holder_id) where answer is null
