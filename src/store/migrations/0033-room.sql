create table room (filler bigint not null)
