create index deliveries_by_status on deliveries (tenant_id, status, id)
