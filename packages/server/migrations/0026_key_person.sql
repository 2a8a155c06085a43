-- The person for whom a key acts. It is the creator until the key is transferred (D8).
alter table api_key add column user_id uuid;
update api_key set user_id = created_by;
alter table api_key
  alter column user_id set not null,
  add foreign key (org_id, user_id) references platform_user (org_id, id);
drop index api_key_person;
create index api_key_person on api_key (org_id, user_id);
create index api_key_creator on api_key (org_id, created_by);
