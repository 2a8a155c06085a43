import type { OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';
import { accountState, membershipDifferences } from '../../queries/differences.ts';

/** The changes of a sync session: its publication, and the removal of the records that it did not push. */
export interface SessionChanges {
  orgId: string;
  appId: string;
  publication: string;
  /** The ids of both. */
  all: string[];
  /** Whether nothing was known before: then what the publication began has no earlier bound (account_change). */
  isFirst: boolean;
}

/** Returns undefined if the session has not been published. */
export async function changesOfSession(
  db: OrgDb,
  appId: string,
  sessionId: string,
): Promise<SessionChanges | undefined> {
  const rows = await many<{ id: string; kind: string; is_first: boolean }>(db)`
    select id, kind, not_before is null as is_first from inventory_change
    where org_id = ${db.orgId} and source_id = ${sessionId} and app_id = ${appId}
      and kind in ('sync', 'abandoned_sync', 'removal')`;
  const publication = rows.find(({ kind }) => kind !== 'removal');
  if (publication === undefined) return undefined;
  return {
    orgId: db.orgId,
    appId,
    publication: publication.id,
    all: rows.map(({ id }) => id),
    isFirst: publication.is_first,
  };
}

/** Selects the differences of accounts and memberships that the changes made, with the columns of `difference`. */
export const differencesOfChanges = (changes: SessionChanges): RawBuilder<unknown> => sql`
  select 'account',
    case when b.account_id is null then 'removed' when n.account_id is null then 'created' else 'changed' end,
    a.id, t.slug, coalesce(b.external_id, n.external_id), coalesce(b.state, n.state) ->> 'email',
    coalesce(b.state, n.state) ->> 'display_name', a.user_id, null::text, null::text, null::text, null::text,
    n.state, b.state
  from (${accountsBegun(changes)}) b
  full join (${accountsEnded(changes)}) n on n.account_id = b.account_id
  join account a on a.org_id = ${changes.orgId} and a.id = coalesce(b.account_id, n.account_id)
  join resource_type t on t.org_id = a.org_id and t.id = a.resource_type_id
  union all
  ${membershipDifferences(changes.orgId, sql`${membershipsBegun(changes)} union ${membershipsEnded(changes)}`)}`;

/**
 * Selects the states that the changes began and did not end themselves, and that still hold. Uses the index account_change,
 * unless everything began with the publication.
 */
const accountsBegun = ({ orgId, appId, all, isFirst }: SessionChanges) => sql`
  select distinct on (account_id) account_id, external_id, state from (
    select a.id as account_id, a.external_id, ${accountState('a')} as state, 'infinity'::timestamptz as ended_at
    from account a
    where a.org_id = ${orgId} and a.app_id = ${appId} and a.change_id = any(${all}::uuid[]) and a.removed_at is null
      ${isFirst ? sql`` : sql`and a.not_before is not null`}
    union all
    select p.account_id, p.external_id, ${accountState('p')}, p.ended_at from account_period p
    where p.org_id = ${orgId} and p.began_by = any(${all}::uuid[]) and p.ended_by <> all(${all}::uuid[])) begun
  order by account_id, ended_at`;

const accountsEnded = ({ orgId, all }: SessionChanges) => sql`
  select distinct on (p.account_id) p.account_id, p.external_id, ${accountState('p')} as state from account_period p
  where p.org_id = ${orgId} and p.ended_by = any(${all}::uuid[])
  order by p.account_id, p.ended_at`;

const membershipsBegun = ({ orgId, appId, publication, isFirst }: SessionChanges) => sql`
  select m.account_id, m.entitlement_id, 'added' as change from membership m
  ${isFirst ? sql`join account a on a.org_id = m.org_id and a.id = m.account_id and a.app_id = ${appId}` : sql``}
  where m.org_id = ${orgId} and m.change_id = ${publication} ${isFirst ? sql`` : sql`and m.not_before is not null`}
  union
  select p.account_id, p.entitlement_id, 'added' from membership_period p
  where p.org_id = ${orgId} and p.began_by = ${publication}`;

const membershipsEnded = ({ orgId, all }: SessionChanges) => sql`
  select p.account_id, p.entitlement_id, 'removed' as change from membership_period p
  where p.org_id = ${orgId} and p.ended_by = any(${all}::uuid[])`;
