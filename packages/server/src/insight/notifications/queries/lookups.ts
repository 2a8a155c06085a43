import type { OrgDb } from '#kit/database.ts';
import type { Role } from '#kit/identity.ts';
import { many, one } from '#kit/sql.ts';

export interface PersonFacts {
  id: string;
  email: string;
  name: string;
  role: Role;
  status: 'active' | 'deactivated';
}

export async function findPeople(db: OrgDb, ids: readonly string[]): Promise<Map<string, PersonFacts>> {
  const rows = await many<PersonFacts>(db)`
    select id, email, coalesce(nullif(btrim(first_name || ' ' || last_name), ''), email) as name, role, status
    from platform_user where org_id = ${db.orgId} and id = any(${ids}::uuid[])`;
  return new Map(rows.map((person) => [person.id, person]));
}

/**
 * Returns the people who were told about each wait, by the id of what waits: the keys of those notifications begin with the
 * key of the wait.
 */
export async function peopleTold(
  db: OrgDb,
  waits: readonly { id: string; key: string }[],
): Promise<Map<string, Set<string>>> {
  const rows = await many<{ about_id: string; user_id: string }>(db)`
    select distinct n.about_id, n.user_id
    from unnest(${waits.map(({ id }) => id)}::uuid[], ${waits.map(({ key }) => key)}::text[]) as w (id, key)
    join notification n on n.org_id = ${db.orgId} and n.about_id = w.id
    where n.user_id is not null and starts_with(n.dedupe_key, w.key)`;
  const byId = Map.groupBy(rows, ({ about_id }) => about_id);
  return new Map([...byId].map(([id, told]) => [id, new Set(told.map(({ user_id }) => user_id))]));
}

export async function organizationOf(db: OrgDb): Promise<{ slug: string; name: string }> {
  return (await one<{ slug: string; name: string }>(db)`
    select slug, name from organization where id = ${db.orgId}`) as { slug: string; name: string };
}
