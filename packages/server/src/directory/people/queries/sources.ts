import type { Org, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql, values } from '#kit/sql.ts';
import type { PersonSource } from '../facts.ts';

/**
 * Where the fields of a person come from: `{"email": "scim"}`. Other fields come from Gatehouse. A provider cannot change
 * the email of a person with a privileged role, or reactivate them, so it does not own these fields.
 */
export const sourcesOf = (person: string, org: Org): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_object_agg(f.field, f.source), '{}') from (
    select owned.field, 'scim' as source from person_source s, unnest(s.owned) as owned (field)
    where s.org_id = ${org.orgId} and s.user_id = ${sql.ref(`${person}.id`)} and s.deleted_at is null
      and (${sql.ref(`${person}.role`)} = 'member' or owned.field not in ('email', 'status'))
      and not (owned.field = 'status' and ${sql.ref(`${person}.status`)} = 'deactivated' and s.extra -> 'active' = 'true')
    union all
    select 'role', 'group' where ${sql.ref(`${person}.role`)} <> 'owner' and exists (
      select from person_group_member m join person_group g on g.org_id = ${org.orgId} and g.id = m.group_id
      where m.org_id = ${org.orgId} and m.user_id = ${sql.ref(`${person}.id`)} and g.role is not null)
  ) f)`;

/** Whether an identity provider keeps the person's record. */
export const isFromScim = (person: string, org: Org): RawBuilder<unknown> => sql`exists (
  select from person_source s
  where s.org_id = ${org.orgId} and s.user_id = ${sql.ref(`${person}.id`)} and s.deleted_at is null)`;

/** Whether an identity provider kept the person's record and has deleted them. */
export const wasDeletedByScim = (person: string, org: Org): RawBuilder<boolean> => sql`exists (
  select from person_source s
  where s.org_id = ${org.orgId} and s.user_id = ${sql.ref(`${person}.id`)} and s.deleted_at is not null)`;

/** The groups of a person as a JSON list, sorted by name. The provider's id tells groups with one name apart. */
export const groupsOf = (person: string, org: Org): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'display_name', g.display_name,
    'external_id', g.external_id) order by g.display_name collate "C", g.id), '[]')
  from person_group_member m join person_group g on g.org_id = ${org.orgId} and g.id = m.group_id
  where m.org_id = ${org.orgId} and m.user_id = ${sql.ref(`${person}.id`)})`;

/**
 * Returns the fields that a provider owns, by person. People of whom it owns nothing are missing. The status of a person whom the
 * provider has active is not its own: who is then inactive was deactivated by hand, and is reactivated by hand.
 */
export async function ownedFields(tx: OrgTx, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await many<{ user_id: string; owned: string[] }>(tx)`
    select user_id, case when extra -> 'active' = 'true' then array_remove(owned, 'status') else owned end as owned
    from person_source
    where org_id = ${tx.orgId} and user_id = any(${ids}::uuid[]) and deleted_at is null`;
  return new Map(rows.map(({ user_id, owned }) => [user_id, owned]));
}

/** Stores what a provider keeps of a person. `keyId` is the client that wrote it. */
export async function upsertSource(tx: OrgTx, userId: string, source: PersonSource, keyId: string | null) {
  const deletedAt = source.deleted ? new Date().toISOString() : null;
  await run(tx)`
    insert into person_source as s (org_id, user_id, external_id, owned, extra, updated_at, deleted_at, key_id, managed_since, former_id)
    values (${tx.orgId}, ${userId}, ${source.external_id}, ${source.owned}::text[], ${JSON.stringify(source.extra)}::jsonb,
      ${new Date().toISOString()}::timestamptz, ${deletedAt}::timestamptz, ${keyId}, clock_now(), ${source.former_id})
    on conflict (org_id, user_id) do update set external_id = excluded.external_id, owned = excluded.owned,
      extra = excluded.extra, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at, key_id = excluded.key_id,
      managed_since = case when s.key_id = excluded.key_id then s.managed_since else excluded.managed_since end,
      former_id = excluded.former_id
    where (s.external_id, s.owned, s.extra, s.deleted_at is null, s.key_id, s.former_id)
      is distinct from (excluded.external_id, excluded.owned, excluded.extra, excluded.deleted_at is null, excluded.key_id,
        excluded.former_id)`;
}

/** Ends the management of people by their clients, and keeps their external ids (D63). Returns the people who had a client. */
export async function releaseSources(tx: OrgTx, userIds: readonly string[]): Promise<string[]> {
  const rows = await many<{ user_id: string; external_id: string | null; key_id: string | null }>(tx)`
    delete from person_source where org_id = ${tx.orgId} and user_id = any(${[...userIds]}::uuid[])
    returning user_id, external_id, key_id`;
  const known = rows.filter(({ external_id }) => external_id !== null);
  if (known.length > 0)
    await run(tx)`
      insert into person_release (org_id, user_id, external_id, key_id, released_at)
      select ${tx.orgId}::uuid, one.user_id, one.external_id, one.key_id, ${new Date().toISOString()}::timestamptz
      from unnest(${known.map(({ user_id }) => user_id)}::uuid[], ${known.map(({ external_id }) => external_id)}::text[],
        ${known.map(({ key_id }) => key_id)}::uuid[]) as one (user_id, external_id, key_id)
      on conflict (org_id, user_id) do update set external_id = excluded.external_id, key_id = excluded.key_id,
        released_at = excluded.released_at`;
  return rows.map(({ user_id }) => user_id);
}

/** Returns the next people whom a client manages. */
export const peopleOfClient = (tx: OrgTx, keyId: string, limit: number) => values<string>(tx)`
    select user_id from person_source
    where org_id = ${tx.orgId} and key_id = ${keyId} and deleted_at is null limit ${limit}`;

/** Ends the keeping of the next groups of a client. They stay as they are. Returns them. */
export const releaseGroups = (tx: OrgTx, keyId: string, limit: number) => many<{
  id: string;
  display_name: string;
}>(tx)`
    update person_group set key_id = null
    where org_id = ${tx.orgId} and id in (
      select g.id from person_group g where g.org_id = ${tx.orgId} and g.key_id = ${keyId} limit ${limit})
    returning id, display_name`;

/** Forgets the external id of a released person: a client manages them again. */
export const forgetRelease = (tx: OrgTx, userId: string) =>
  run(tx)`delete from person_release where org_id = ${tx.orgId} and user_id = ${userId}`;

/** Forgets the external ids of the people who were released from a client, and of those whom it deleted. Returns how many there were. */
export async function forgetIdsOf(tx: OrgTx, keyId: string): Promise<number> {
  const released = await sql`
    delete from person_release where org_id = ${tx.orgId} and key_id = ${keyId}`.execute(tx);
  const deleted = await sql`
    update person_source set external_id = null
    where org_id = ${tx.orgId} and key_id = ${keyId} and deleted_at is not null and external_id is not null`.execute(
    tx,
  );
  return Number(released.numAffectedRows ?? 0) + Number(deleted.numAffectedRows ?? 0);
}

/** Forgets all of a person who is deleted for good. */
export async function deleteSource(tx: OrgTx, userId: string): Promise<void> {
  await run(tx)`delete from person_source where org_id = ${tx.orgId} and user_id = ${userId}`;
  await forgetRelease(tx, userId);
}
