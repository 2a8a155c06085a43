import { accountStates, isCertain, isPossible, membershipPeriods } from '#inventory/records/history/facts.ts';
import { accountLinks, isLinked } from '#inventory/records/history/link-facts.ts';
import { bestFirst } from '#inventory/records/history/period-facts.ts';
import { mayHaveChanged, type Scope } from '#inventory/records/history/scope-facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

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

/** The attributes of an account that are compared. They are null for memberships. */
const ATTRIBUTES = ['status', 'email', 'username', 'display_name', 'external_id'];
const COLUMNS = ['since', 'not_before', 'seen_until', 'gone_by', 'certain', ...ATTRIBUTES];

/**
 * Whether account `c` may differ between the two times. The links to a person can change without the account. `few`: the statement
 * asks about one page of accounts.
 */
export const mayDiffer = (
  org: Org,
  { scope, from }: CompareFilter,
  { few }: { few: boolean },
): RawBuilder<boolean> =>
  'user' in scope
    ? sql`true`
    : mayHaveChanged(
        org,
        sql`c.id`,
        sql`${from}::timestamptz`,
        'entitlement' in scope ? scope.entitlement : null,
        few,
      );

/**
 * The states and memberships of the accounts in `candidates (id)`, each at both times: `x_` at the first, `y_` at the
 * second, and the `change` between them, or null. A state counts as added if it was absent at first and present later,
 * and possibly so if one of the two is only possible. It also counts as added if it was first seen between the times, and
 * as removed if it was last seen between them.
 */
export function comparedStates(
  org: Org,
  { scope, from, to, knownAt }: CompareFilter,
  candidates: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const known = sql`${knownAt}::timestamptz`;
  const [first, second] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`];
  const isTheirs = (at: typeof first) =>
    'user' in scope
      ? sql`exists (
          select from ${accountLinks(org)} l
          where l.account_id = c.id and l.user_id = ${scope.user}::uuid and ${isLinked('l', at)})`
      : sql`true`;
  const side = (at: typeof first) => sql`
    p.since, p.not_before, p.seen_until, p.gone_by, ${isCertain('p', at)} as certain`;
  const state = (at: typeof first) => sql`(
    select ${side(at)}, p.status, p.email, p.username, p.display_name, p.external_id
    from ${accountStates(org, known, at)} p
    where p.account_id = c.id and p.status <> 'NEW' and ${isPossible('p', at)} and ${isTheirs(at)}
    order by ${bestFirst('p', at)} limit 1)`;
  const ofEntitlement =
    'entitlement' in scope ? sql`p.entitlement_id = ${scope.entitlement}::uuid` : sql`true`;
  const held = (at: typeof first) => sql`(
    select distinct on (p.entitlement_id) p.entitlement_id,
      ${side(at)}, ${sql.join(ATTRIBUTES.map((name) => sql`null as ${sql.ref(name)}`))}
    from ${membershipPeriods(org, known, at)} p
    where p.account_id = c.id and ${ofEntitlement} and ${isPossible('p', at)} and ${isTheirs(at)}
    order by p.entitlement_id, ${bestFirst('p', at)})`;
  const pair = sql.join(
    ['x', 'y'].flatMap((alias) =>
      COLUMNS.map((name) => sql`${sql.ref(`${alias}.${name}`)} as ${sql.ref(`${alias}_${name}`)}`),
    ),
  );
  const attributes = (prefix: string) => sql.join(ATTRIBUTES.map((name) => sql.ref(`${prefix}_${name}`)));
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
        when (${attributes('x')}) is distinct from (${attributes('y')}) then 'changed'
        when x_since = y_since and ${first} < y_since and y_since <= ${second} and y_not_before is not null then 'added'
        when x_since = y_since and x_certain and not y_certain and x_gone_by is not null then 'removed'
      end as change
    from ${candidates} c
    cross join lateral (${'entitlement' in scope ? heldPairs : sql`${accountPairs} union all ${heldPairs}`}) p)`;
}
