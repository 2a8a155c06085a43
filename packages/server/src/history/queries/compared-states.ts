import { type RawBuilder, sql } from 'kysely';
import { mayHaveChanged, type Scope } from '../../inventory/history/candidates.ts';
import { accountStates, isCertain, isPossible, membershipPeriods } from '../../inventory/history/facts.ts';
import { accountLinks } from '../../inventory/history/link-facts.ts';
import { isLinked } from '../../inventory/history/links-at.ts';
import { bestFirst, boundsOf } from '../../inventory/history/shape.ts';

export const CHANGES = ['added', 'removed', 'changed'] as const;
export type Change = (typeof CHANGES)[number];
export type Counts = Record<Change, number>;

export interface CompareFilter {
  scope: Scope;
  apps: readonly string[] | null;
  owner: string | null;
  from: string;
  to: string;
  knownAt: string;
}

/** The entitlement of a state of the account itself. */
export const NONE = '00000000-0000-0000-0000-000000000000';

/** Whether account `c` may differ between the two times. The links to a person can change without the account. */
export const mayDiffer = (orgId: string, { scope, from }: CompareFilter): RawBuilder<boolean> =>
  'user' in scope ? sql`true` : mayHaveChanged(orgId, sql`c.id`, sql`${from}::timestamptz`);

/**
 * The states and memberships of the accounts in `candidates (id)`, each at both times: `x_` at the first, `y_` at the
 * second, and the `change` between them, or null. A state counts as added if it was absent at first and present later,
 * and possibly so if one of the two is only possible. It also counts as added if it was first seen between the times, and
 * as removed if it was last seen between them.
 */
export function comparedStates(
  orgId: string,
  { scope, from, to, knownAt }: CompareFilter,
  candidates: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const known = sql`${knownAt}::timestamptz`;
  const [first, second] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`];
  const isTheirs = (at: typeof first) =>
    'user' in scope
      ? sql`exists (
          select from ${accountLinks(orgId)} l
          where l.account_id = c.id and l.user_id = ${scope.user}::uuid and ${isLinked('l', at)})`
      : sql`true`;
  const side = (at: typeof first, content: typeof first) => sql`
    p.since, p.not_before, p.gone_by, ${isCertain('p', at)} as certain, ${content} as content,
    jsonb_build_object('certainty', case when ${isCertain('p', at)} then 'certain' else 'possible' end,
      'bounds', ${boundsOf('p')}) as view`;
  const content = sql`jsonb_build_object('status', p.status, 'email', p.email, 'username', p.username,
    'display_name', p.display_name, 'external_id', p.external_id)`;
  const state = (at: typeof first) => sql`(
    select ${side(at, content)} from ${accountStates(orgId, known, at)} p
    where p.account_id = c.id and p.status <> 'NEW' and ${isPossible('p', at)} and ${isTheirs(at)}
    order by ${bestFirst('p', at)} limit 1)`;
  const ofEntitlement =
    'entitlement' in scope ? sql`p.entitlement_id = ${scope.entitlement}::uuid` : sql`true`;
  const held = (at: typeof first) => sql`(
    select distinct on (p.entitlement_id) p.entitlement_id,
      ${side(at, sql`jsonb_build_object('status', null, 'email', null, 'username', null, 'display_name', null, 'external_id', null)`)}
    from ${membershipPeriods(orgId, known, at)} p
    where p.account_id = c.id and ${ofEntitlement} and ${isPossible('p', at)} and ${isTheirs(at)}
    order by p.entitlement_id, ${bestFirst('p', at)})`;
  const pair = sql`
    x.since as x_since, x.gone_by as x_gone_by, x.certain as x_certain, x.content as x_content, x.view as x_view,
    y.since as y_since, y.not_before as y_not_before, y.certain as y_certain, y.content as y_content,
    y.view as y_view`;
  const accountPairs = sql`
    select ${NONE}::uuid as entitlement_id, ${pair} from (select) one
    left join ${state(first)} x on true left join ${state(second)} y on true`;
  const heldPairs = sql`
    select coalesce(x.entitlement_id, y.entitlement_id) as entitlement_id, ${pair}
    from ${held(first)} x full join ${held(second)} y on y.entitlement_id = x.entitlement_id`;
  return sql`(
    select c.id as account_id, p.*, case
        when x_since is null and y_since is not null then 'added'
        when x_since is not null and y_since is null then 'removed'
        when x_content <> y_content then 'changed'
        when x_since = y_since and ${first} < y_since and y_since <= ${second} and y_not_before is not null then 'added'
        when x_since = y_since and x_certain and not y_certain and x_gone_by is not null then 'removed'
      end as change
    from ${candidates} c
    cross join lateral (${'entitlement' in scope ? heldPairs : sql`${accountPairs} union all ${heldPairs}`}) p)`;
}
