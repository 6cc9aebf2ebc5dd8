create table room (filler bigint primary key)
