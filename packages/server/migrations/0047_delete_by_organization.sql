-- Rows of different partitions can have the same ctid. Without the condition on org_id, deleting an organization's rows
-- from a partitioned table would take rows of other organizations with them.
create or replace function delete_rows_of_organization(wanted regclass, org uuid, most integer) returns integer
language plpgsql as $$
declare
  deleted integer;
begin
  execute format('delete from %s where org_id = $1 and ctid = any (array(select ctid from %s where org_id = $1 limit $2))',
    wanted, wanted)
    using org, most;
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- Deletes about `most` expired periods of an organization from a history table. Returns their number. A ctid is unique in
-- its partition only, so that both conditions are needed.
create function delete_expired_periods(parent text, organization_id uuid, days integer, most integer) returns integer
language plpgsql as $$
declare
  deleted integer;
begin
  execute format(
    'delete from %1$I where org_id = $1 and ended_at < $2 and ctid = any (array(
       select ctid from %1$I where org_id = $1 and ended_at < $2 limit $3))', parent)
    using organization_id, now() - days * interval '24 hours', most;
  get diagnostics deleted = row_count;
  return deleted;
end $$;
