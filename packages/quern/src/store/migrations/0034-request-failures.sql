alter table requests add column url text;
alter table requests add column message text
