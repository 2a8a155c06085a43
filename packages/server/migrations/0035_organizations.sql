-- An organization with either is suspended: no request reaches it, and its background work pauses (D52).
alter table organization
  add column suspended_at timestamptz,
  add column suspended_reason text,
  add column delete_after timestamptz;

-- Deletes up to `most` rows of an organization from a table that is named at run time, so that deleting an organization
-- cannot miss a table. Only packages/server/src/organizations/delete.ts calls it.
create function delete_rows_of_organization(wanted regclass, org uuid, most integer) returns integer
language plpgsql as $$
declare
  deleted integer;
begin
  execute format('delete from %s where ctid = any (array(select ctid from %s where org_id = $1 limit $2))', wanted, wanted)
    using org, most;
  get diagnostics deleted = row_count;
  return deleted;
end $$;
