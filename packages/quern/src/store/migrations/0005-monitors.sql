alter table jobs add column monitor_id text;
create index jobs_by_monitor on jobs (monitor_id) where monitor_id is not null;

create table monitors (
  id text primary key,
  tenant_id text not null,
  kind text not null,
  name text not null,
  operation text not null,
  walks bigint not null default 0,
  body text not null,
  input text not null,
  watch text not null,
  metadata text not null,
  cron text,
  timezone text not null,
  active bigint not null,
  inactive_reason text,
  version bigint not null default 1,
  target_version bigint not null default 1,
  baseline text,
  baseline_version bigint not null default 0,
  next_run_at bigint,
  due_at bigint,
  ticks_per_month bigint not null default 0,
  run_credits bigint not null,
  current_run_id text,
  last_completed_run_id text,
  last_run_at bigint,
  last_change_at bigint,
  completed_runs bigint not null default 0,
  consecutive_failures bigint not null default 0,
  failing_since bigint,
  backoff_until bigint,
  triggered_at bigint,
  digest_from bigint,
  digest_due_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index monitors_by_due on monitors (due_at) where due_at is not null;
create index monitors_by_digest on monitors (digest_due_at) where digest_due_at is not null;
create index monitors_by_tenant on monitors (tenant_id, id) where deleted_at is null;
create index monitors_active on monitors (tenant_id) where active = 1;
create index monitors_deleted on monitors (deleted_at) where deleted_at is not null;

create table monitor_runs (
  id text primary key,
  monitor_id text not null,
  tenant_id text not null,
  started_by text not null,
  status text not null
    check (status in ('queued', 'completed', 'partial', 'failed', 'cancelled', 'skipped')),
  skipped_reason text,
  scheduled_for bigint not null,
  queued_at bigint not null,
  started_at bigint,
  finished_at bigint,
  attempt bigint not null default 0,
  missed_ticks bigint,
  monitor_version bigint not null,
  target_version bigint not null,
  watch text,
  changed bigint not null default 0,
  change_id text,
  seen text,
  tier text,
  usage text,
  error text
);
create unique index monitor_runs_by_tick on monitor_runs (monitor_id, scheduled_for)
  where started_by in ('schedule', 'catch_up');
create unique index monitor_runs_active on monitor_runs (monitor_id) where status = 'queued';
create index monitor_runs_by_monitor on monitor_runs (monitor_id, id);
create index monitor_runs_by_age on monitor_runs (queued_at);

create table monitor_changes (
  id text primary key,
  monitor_id text not null,
  tenant_id text not null,
  run_id text not null,
  previous_run_id text,
  baseline_run_id text,
  detected_at bigint not null,
  kind text not null,
  record text not null,
  delivery_ids text not null,
  pending bigint not null default 0
);
create index monitor_changes_pending on monitor_changes (monitor_id, id) where pending = 1;
create index monitor_changes_by_monitor on monitor_changes (monitor_id, id);
create index monitor_changes_by_age on monitor_changes (detected_at)
