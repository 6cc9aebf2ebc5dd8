alter table console_sessions add column secret_hash text
