-- The keys that encrypt an organization's secrets. Each is encrypted with GATEHOUSE_SECRET_KEY, which is kept outside
-- the database; wrapped_by is the id of that key.
create table data_key (
  org_id uuid not null references organization (id),
  id uuid not null default uuidv7(),
  wrapped bytea not null,
  wrapped_by text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- The old columns are emptied when a server first starts with this version, because SQL does not have the key.
alter table organization add column sealed_sign_in_secret text;
alter table organization alter column sign_in_secret drop not null, alter column sign_in_secret drop default;
alter table event_cursor_key add column sealed_secret text;
alter table event_cursor_key alter column secret drop not null;
drop function new_event_cursor_secret();
