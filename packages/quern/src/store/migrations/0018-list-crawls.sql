alter table jobs add column list_state text;
