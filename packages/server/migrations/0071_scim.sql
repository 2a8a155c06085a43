-- runs-with: 0060
-- People and groups that an identity provider keeps through SCIM (D50). No foreign keys: an upgraded cluster distributes new
-- tables only later (ADR 16). `people` deletes the rows of a deleted person.

-- Fields that an identity provider wrote for a person. `owned` names the fields that only the provider changes, as the API's changes
-- name them, such as `email` or `attributes.department`. `extra` holds SCIM attributes without a field of the person.
create table person_source (
  org_id uuid not null,
  user_id uuid not null,
  external_id text,
  owned text[] not null,
  extra jsonb not null default '{}',
  updated_at timestamptz not null,
  -- The provider deleted the person, who is deactivated and unknown to it until it creates them again.
  deleted_at timestamptz,
  primary key (org_id, user_id)
);
create unique index person_source_external_id on person_source (org_id, external_id) where external_id is not null;

create table person_group (
  org_id uuid not null,
  id uuid not null,
  display_name text not null,
  external_id text,
  -- The role that the group gives its members, except owners. Owners of the organization choose it.
  role text check (role in ('admin', 'auditor', 'member')),
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id)
);
create unique index person_group_name on person_group (org_id, lower(display_name));
create unique index person_group_external_id on person_group (org_id, external_id) where external_id is not null;

create table person_group_member (
  org_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (org_id, group_id, user_id)
);
create index person_group_member_user on person_group_member (org_id, user_id);

-- The role of a person before groups gave them a higher one. Null: no group gave them their present role.
alter table platform_user add column role_before_groups text;

-- Whether a deletion by SCIM deletes the person for good, if no history names them. Otherwise it deactivates them.
alter table organization add column scim_deletes boolean not null default false;
