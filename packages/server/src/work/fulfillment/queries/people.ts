import { isAway } from '#directory/deciders/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { mayDecide } from '#kit/identity.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';

/** Whether the person with the alias `u` is a fulfiller of an app, in person or through a group. */
const isFulfiller = (org: Org, appId: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
  select from fulfiller f
  where f.org_id = ${org.orgId} and f.app_id = ${appId} and (
    (f.kind = 'person' and f.member_id = u.id)
    or (f.kind = 'group' and exists (
      select from person_group_member m
      where m.org_id = ${org.orgId} and m.group_id = f.member_id and m.user_id = u.id))))`;

/**
 * Whether the person with the alias `u` may carry out tasks of an app: its fulfillers, its owner and administrators may,
 * unless they are auditors. `appId` and `ownerId` are SQL expressions.
 */
export const mayCarryOut = (org: Org, appId: RawBuilder<unknown>, ownerId: RawBuilder<unknown>) => sql`(
  ${mayDecide('u')}
  and (u.role in ('owner', 'admin') or u.id = ${ownerId} or ${isFulfiller(org, appId)}))`;

export interface Candidate {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  away: boolean;
  is_owner: boolean;
  is_fulfiller: boolean;
}

/** A group may have many members. Turns go around among this many. */
const MOST = 500;

/**
 * Returns the fulfillers of an app and its owner, as far as they may carry out its tasks. An owner who is not a fulfiller
 * comes first, so that no limit cuts them off, and then the fulfillers whose last task was assigned longest ago. With
 * `administrators`, the organization's administrators follow. `only` names one person.
 */
export async function candidates(
  db: OrgDb,
  appId: string,
  { administrators = false, only = null }: { administrators?: boolean; only?: string | null } = {},
): Promise<Candidate[]> {
  const fulfills = isFulfiller(db, sql`p.id`);
  return many<Candidate>(db)`
    select u.id, u.email, u.first_name, u.last_name, ${isAway(db, 'u')} as away,
      coalesce(u.id = p.owner_id, false) as is_owner, ${fulfills} as is_fulfiller
    from app p
    join platform_user u on u.org_id = ${db.orgId} and ${mayDecide('u')}
      and (u.id = p.owner_id or ${fulfills} or (${administrators} and u.role in ('owner', 'admin')))
    left join lateral (
      select max(a.assigned_at) as at from fulfillment_assignment a
      where a.org_id = ${db.orgId} and a.app_id = p.id and a.assignee_id = u.id) last on true
    where p.org_id = ${db.orgId} and p.id = ${appId} and (${only}::uuid is null or u.id = ${only}::uuid)
    order by (u.id = p.owner_id and not ${fulfills}) desc nulls last, is_fulfiller desc, last.at nulls first, u.id limit ${sql.lit(MOST)}`;
}
