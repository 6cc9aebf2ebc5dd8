alter table requests add column input_tokens bigint not null default 0;
alter table requests add column output_tokens bigint not null default 0
