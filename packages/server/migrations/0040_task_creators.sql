-- Every task names a person: for a policy the one who enabled it, otherwise an owner (protocol 2.11).
alter table policy add column enabled_by uuid;
update policy set enabled_by = created_by;
with first_owner as (
  select distinct on (org_id) org_id, id from platform_user where role = 'owner'
  order by org_id, status = 'deactivated', id
)
update task t set created_by = coalesce(
  (select p.created_by from policy p where p.org_id = t.org_id and p.id = t.source_id), o.id)
from first_owner o
where o.org_id = t.org_id and t.created_by is null;
