import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { accountStates, membershipPeriods } from './facts.ts';

/** The times between periods `p` of one access. */
const gapsBetween = (periods: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
  select lag(p.gone_by) over (order by p.since, p.gone_by) as gone_at, p.since as back_at, p.began_by
  from ${periods} p where ${condition}
  union all
  select max(p.gone_by), null, null from ${periods} p where ${condition} having not coalesce(bool_or(p.gone_by is null), false)`;

/**
 * The times in which an account did not have a group or license. Columns: gone_at (null: since before the history), back_at (null: not yet),
 * began_by (the change that brought it back). All ids are SQL expressions.
 */
export const membershipGaps = (
  org: Org,
  { accountId, entitlementId }: Record<'accountId' | 'entitlementId', RawBuilder<unknown>>,
): RawBuilder<unknown> =>
  sql`(${gapsBetween(
    membershipPeriods(org),
    sql`p.account_id = ${accountId} and p.entitlement_id = ${entitlementId}`,
  )})`;

/** The times in which an account did not exist or not meet a condition on its state `p`, with the columns of membershipGaps. */
export const accountGaps = (
  org: Org,
  accountId: RawBuilder<unknown>,
  condition: RawBuilder<boolean>,
): RawBuilder<unknown> =>
  sql`(${gapsBetween(
    accountStates(org),
    sql`p.account_id = ${accountId} and p.status <> 'NEW' and ${condition}`,
  )})`;
