-- The ids of a pushed page's records, to count each record of a session once.
alter table sync_page add column record_ids text[] not null default '{}';
alter table sync_page alter column record_ids set storage external;
update sync_page set record_ids = array(select json_array_elements(records::json) ->> 'id');
alter table sync_page alter column record_ids drop default;
alter table sync_page drop column record_count;
