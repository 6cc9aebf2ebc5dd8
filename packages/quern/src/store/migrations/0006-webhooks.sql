create table webhooks (
  owner_id text primary key,
  tenant_id text not null,
  url text not null,
  endpoint text not null,
  sealed text not null,
  events text,
  failing_since bigint,
  disabled_at bigint,
  created_at bigint not null
);
create index webhooks_by_age on webhooks (created_at);

create table deliveries (
  id text primary key,
  tenant_id text not null,
  owner_id text not null,
  event_id text not null unique,
  type text not null,
  url text not null,
  endpoint text not null,
  body text not null,
  status text not null
    check (status in ('pending', 'delivering', 'succeeded', 'exhausted', 'suspended', 'cancelled')),
  attempts bigint not null default 0,
  round bigint not null default 0,
  most bigint not null,
  due_at bigint not null,
  lease_token text,
  lease_until bigint,
  sender_id text,
  created_at bigint not null
);
create index deliveries_by_due on deliveries (due_at) where status = 'pending';
create index deliveries_by_turn on deliveries (endpoint, due_at, id) where status = 'pending';
create index deliveries_by_lease on deliveries (lease_until) where status = 'delivering';
create index deliveries_by_sender on deliveries (endpoint, sender_id) where status = 'delivering';
create index deliveries_by_owner on deliveries (owner_id, id);
create index deliveries_by_age on deliveries (created_at);

create table delivery_attempts (
  delivery_id text not null,
  n bigint not null,
  at bigint not null,
  duration_ms bigint not null,
  status_code bigint,
  error text,
  response_excerpt text,
  next_attempt_at bigint,
  primary key (delivery_id, n)
);

alter table jobs add column webhook bigint not null default 0
