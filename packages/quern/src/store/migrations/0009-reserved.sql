update tenants set reserved = reserved;
update tenants set reserved = (select coalesce(sum(credits), 0) from reservations where tenant_id = tenants.id)
