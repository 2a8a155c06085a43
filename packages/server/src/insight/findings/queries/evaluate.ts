import type { Org, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import type { KindName } from '../finding.ts';
import { isKnown } from './findings.ts';
import { KINDS } from './kinds/index.ts';
import type { Within } from './kinds/kind.ts';

/** The subjects whose findings are brought up to date: these, or some of all in the order of their ids. Null: all. */
export type Scope = readonly string[] | { after: string; limit: number } | null;

export interface Changed {
  id: string;
  kind: KindName;
  subject_id: string;
  app_id: string | null;
  user_id: string | null;
  values: Record<string, unknown>;
  /** The result for a finding. `same`: only what it says. */
  change: 'opened' | 'reopened' | 'resolved' | 'same';
  /** The day (UTC) on which it began, or ended. */
  day: string;
}

const dayOf = (moment: string) => sql`to_char(${sql.ref(moment)} at time zone 'UTC', 'YYYY-MM-DD') as day`;

const within = (scope: Scope): Within => {
  if (scope === null) return () => sql`true`;
  if ('after' in scope) return (id) => sql`${id} > ${scope.after}::uuid`;
  return (id) => sql`${id} = any(${scope}::uuid[])`;
};

/** The most findings that one statement changes. Null: all. */
const limitOf = (scope: Scope) => (scope !== null && 'after' in scope ? scope.limit : null);

const found = (org: Org, kind: KindName, scope: Scope): RawBuilder<unknown> =>
  sql`(${KINDS[kind].rows(org, within(scope))})`;

const stored = ['app_id', 'user_id', 'values'] as const;
const columns = (alias: string) => sql.join(stored.map((name) => sql.ref(`${alias}.${name}`)));

/** Opens what is found for the first time and what has come back, and stores what it says now. */
export const open = (tx: OrgTx, kind: KindName, scope: Scope) => many<Changed>(tx)`
    insert into finding (org_id, kind, subject_type, subject_id, severity, app_id, user_id, "values", since, opened_at)
    select ${tx.orgId}, ${kind}::text, ${KINDS[kind].subject}::text, r.subject_id, ${KINDS[kind].severity}::text, ${columns('r')},
      r.since, r.since
    from ${found(tx, kind, scope)} r
    -- A plain join may read all findings for each row, while the table has no statistics.
    left join lateral (
      select * from finding o where o.org_id = ${tx.orgId} and o.kind = ${kind} and o.subject_id = r.subject_id offset 0) f on true
    where f.id is null or f.resolved_at is not null or (${columns('f')}) is distinct from (${columns('r')})
    order by r.subject_id limit ${limitOf(scope)}
    on conflict (org_id, kind, subject_id) do update set app_id = excluded.app_id, user_id = excluded.user_id,
      "values" = excluded."values", severity = excluded.severity, resolved_at = null,
      opened_at = case when finding.resolved_at is null then finding.opened_at else clock_now() end
    returning id, kind, subject_id, app_id, user_id, "values",
      case when old.id is null then 'opened' when old.resolved_at is not null then 'reopened' else 'same' end as change,
      ${dayOf('opened_at')}`;

/**
 * Resolves what is no longer found. `not in` looks for it once and hashes it, also in a database whose tables have no statistics yet; a
 * join may look for it again for each finding.
 */
export const resolve = (tx: OrgTx, kind: KindName, scope: Scope) => many<Changed>(tx)`
    update finding f set resolved_at = clock_now()
    where f.org_id = ${tx.orgId} and f.id in (
      select g.id from finding g
      where g.org_id = ${tx.orgId} and g.kind = ${kind} and g.resolved_at is null and ${within(scope)(sql`g.subject_id`)}
        and g.subject_id not in (select r.subject_id from ${found(tx, kind, scope)} r)
      order by g.subject_id limit ${limitOf(scope)})
    returning f.id, f.kind, f.subject_id, f.app_id, f.user_id, f."values", 'resolved' as change, ${dayOf('f.resolved_at')}`;

/** Counts what has begun and ended by its day. The caller has the lock of the cursor. */
export async function count(tx: OrgTx, changes: readonly Changed[]): Promise<void> {
  const steps = changes.flatMap(({ kind, day, change }) =>
    change === 'same' ? [] : { kind, day, n: change === 'resolved' ? -1 : 1 },
  );
  if (steps.length === 0) return;
  await run(tx)`
    insert into finding_day (org_id, kind, day, n)
    select ${tx.orgId}, s.kind, s.day, sum(s.n)
    from unnest(${steps.map(({ kind }) => kind)}::text[], ${steps.map(({ day }) => day)}::date[], ${steps.map(({ n }) => n)}::integer[]) as s (kind, day, n)
    group by s.kind, s.day
    on conflict (org_id, kind, day) do update set n = finding_day.n + excluded.n`;
}

/** Counts today what no change has said: findings of people who were deleted are gone. */
export const recount = (tx: OrgTx) => run(tx)`
    insert into finding_day (org_id, kind, day, n)
    select ${tx.orgId}, k.kind, (clock_now() at time zone 'UTC')::date, sum(k.n)
    from (
      select f.kind, count(*) as n from finding f where f.org_id = ${tx.orgId} and f.resolved_at is null group by f.kind
      union all
      select d.kind, -sum(d.n) from finding_day d where d.org_id = ${tx.orgId} group by d.kind) k
    group by k.kind having sum(k.n) <> 0
    on conflict (org_id, kind, day) do update set n = finding_day.n + excluded.n`;

/** Ends the acceptances whose time is over. */
export const endAcceptances = (tx: OrgTx) => many<Omit<Changed, 'day'>>(tx)`
    update finding f set accepted_until = null, accepted_by = null, reason = null
    where f.org_id = ${tx.orgId} and ${isKnown} and f.accepted_until <= clock_now()
    returning f.id, f.kind, f.subject_id, f.app_id, f.user_id, f."values",
      case when f.resolved_at is null then 'reopened' else 'same' end as change`;
