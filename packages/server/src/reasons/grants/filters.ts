import { Type } from 'typebox';
import { accounts } from '#inventory/records/accounts/facts.ts';
import { GrantKind } from '#inventory/records/accounts/schemas.ts';
import { accountLinks, isLinked } from '#inventory/records/history/link-facts.ts';
import type { Org } from '#kit/database.ts';
import { instantForSql } from '#kit/instants.ts';
import { Instant, Uuid } from '#kit/schemas.ts';
import { filter, filters, type RawBuilder, sql, type ValuesOf } from '#kit/sql.ts';
import { isOwed } from './facts.ts';
import { GrantStatus } from './grant-schemas.ts';

/** The time that a list is about. */
export interface When {
  at: RawBuilder<Date>;
  /** The latest time of recording that counts. Null: everything is known. */
  known: RawBuilder<Date> | null;
}

/** When grant `g` ended or ends, as known then. Null: never. */
export const knownEnd = ({ known }: When): RawBuilder<Date | null> =>
  known === null
    ? sql`least(g.ended_at, g.ends_at)`
    : sql`least(case when g.end_recorded_at <= ${known} then g.ended_at end, g.ends_at)`;

/** Whether grant `g` is in force then. */
export const isActive = (when: When): RawBuilder<boolean> =>
  sql`(g.starts_at <= ${when.at} and coalesce(${knownEnd(when)}, 'infinity') > ${when.at})`;

interface Asked extends Org, When {
  /** The ids of what `slug` and `resource` name: the planner knows how many grants are on them. */
  resources: readonly string[];
}

const hasStatus = (status: GrantStatus, when: Asked): RawBuilder<boolean> => {
  switch (status) {
    case 'active':
      return isActive(when);
    case 'scheduled':
      return sql`(g.starts_at > ${when.at} and coalesce(${knownEnd(when)}, 'infinity') > ${when.at}
        and g.recorded_at <= ${when.at})`;
    case 'ended':
      return sql`(${knownEnd(when)} <= ${when.at} and g.recorded_at <= ${when.at})`;
    case 'owed':
      return isOwed('g');
  }
};

/** The filters of the list of grants, with `g` for access_grant. */
export const grantFilters = filters({
  account: filter(Uuid, (account) => sql`g.account_id = ${account}`),
  user: filter(
    { ...Uuid, description: 'Grants of the accounts that this person has now, or had at `as_of`.' },
    (person, { known, at, ...org }: Asked) =>
      known === null
        ? sql`g.account_id = any(array(
            select a.id from ${accounts} a where a.org_id = ${org.orgId} and a.user_id = ${person}))`
        : sql`g.account_id = any(array(
            select l.account_id from ${accountLinks(org)} l where l.user_id = ${person} and ${isLinked('l', at)}))`,
  ),
  app: filter(Uuid, (app) => sql`g.app_id = ${app}`),
  // `resource` has the condition of both.
  slug: filter(Type.String({ description: 'With `resource`: the resource type.' }), () => null),
  resource: filter(
    Type.String({
      description: 'With `slug`: the external id of a group or license. With `app`, in that app only.',
    }),
    (_resource, { resources }: Asked) => sql`g.entitlement_id = any(${resources}::uuid[])`,
  ),
  kind: filter(GrantKind, (kind) => sql`g.kind = ${kind}`),
  status: filter(GrantStatus, hasStatus),
  ends_before: filter(
    { ...Instant, description: 'Grants whose end was decided and is before this time.' },
    (time) => sql`g.ends_at < ${instantForSql(time)}::timestamptz`,
  ),
});
export type GrantFilter = ValuesOf<typeof grantFilters>;
