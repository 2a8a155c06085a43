import { withNames } from '#directory/people/facts.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { isoTime, many, one, run, sql, value } from '#kit/sql.ts';
import { type Moment, momentToIso } from '#log/events/follow.ts';
import { type PolicyFilter, policyFilters } from '../filters.ts';
import type { Policy, PolicySpec, PolicyView } from '../policy.ts';

const policy = sql`p.id, p.name, p.trigger, p.offset_days, to_char(p.days_until, 'YYYY-MM-DD') as days_until, p.condition, p.effects, p.delay, p.recheck,
  p.enabled, p.last_fired_at, p.last_fired_count, p.created_by, p.enabled_by, p.hands::text[] as hands, p.created_at, p.updated_at,
  (extract(epoch from p.fires_after) * 1000000)::bigint as fires_after`;

/** The policies with which policy `p` is held because they contradict each other for somebody (D77). */
const contradicts = (org: Org) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('external_uuid', o.id, 'name', o.name) order by o.id) from policy o
  where o.org_id = ${org.orgId} and exists (
    select from policy_undo u
    where u.org_id = ${org.orgId} and u.held_at is not null
      and ((u.policy_id = p.id and u.with_policy_id = o.id) or (u.policy_id = o.id and u.with_policy_id = p.id)))), '[]')`;

/** Shows held actions rather than those being released. */
const view = (org: Org) => sql`${policy}, ${withNames(org, sql`p.undecided`)} as undecided, (
  select jsonb_build_object('status', case when f.confirmed_at is null then 'held' else 'releasing' end,
    'count', f.count, 'created', f.created, 'because', f.because, 'held_at', ${isoTime(sql`f.held_at`)},
    'contradicts', case when f.confirmed_at is null then ${contradicts(org)} else '[]' end)
  from policy_firing f where f.org_id = ${org.orgId} and f.policy_id = p.id
  order by f.confirmed_at is not null, f.held_at limit 1) as pending_confirmation`;

/** Locks the organization's policies until `tx` ends: firings, changes and confirmations run one at a time. */
export async function lockPolicies(tx: OrgTx): Promise<void> {
  await run(tx)`
    insert into policy_cursor (org_id, read_to)
    select org_id, last_ingested_at from event_head where org_id = ${tx.orgId} on conflict do nothing`;
  await run(tx)`select from policy_cursor where org_id = ${tx.orgId} for update`;
}

/**
 * Locks the policies of an organization that has or had some, as above. Without any, nothing fires, and the first one fires only
 * because of later events.
 */
export const lockKnownPolicies = (tx: OrgTx) =>
  run(tx)`select from policy_cursor where org_id = ${tx.orgId} for update`;

export async function listPolicies(db: OrgDb, filter: PolicyFilter, page: Page): Promise<Slice<PolicyView>> {
  const where = policyFilters.where(db, filter, sql`p.org_id = ${db.orgId}`);
  const counted = await value<number>(db)`select count(*) as n from policy p where ${where}`;
  const rows = await many<PolicyView>(db)`
    select ${view(db)} from policy p where ${where} order by p.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

export const findPolicy = (db: OrgDb, id: string) => one<PolicyView>(db)`
    select ${view(db)} from policy p where p.org_id = ${db.orgId} and p.id = ${id}`;

/** Returns all policies, also disabled ones. */
export const allPolicies = (db: OrgDb) => many<Policy>(db)`
    select ${policy} from policy p where p.org_id = ${db.orgId} order by p.id`;

/** Returns the enabled policies in the order of their creation, in which they fire. */
export const enabledPolicies = (db: OrgDb) => many<Policy>(db)`
    select ${policy} from policy p where p.org_id = ${db.orgId} and p.enabled order by p.id`;

/** The place in the log, and the day, after which a policy fires. */
export interface Beginning {
  firesAfter: Moment;
  today: string;
}

export const insertPolicy = (
  tx: OrgTx,
  { name, trigger, offset_days, condition, effects, delay, recheck, enabled }: PolicySpec,
  { firesAfter, today, createdBy, hands }: Beginning & { createdBy: string; hands: readonly string[] },
) => value<string>(tx)`
    insert into policy (org_id, name, trigger, offset_days, condition, effects, delay, recheck, enabled, fires_after, ran_at,
      days_until, created_by, enabled_by, hands)
    values (${tx.orgId}, ${name}, ${trigger}, ${offset_days}, ${condition}, ${JSON.stringify(effects)}::jsonb, ${delay}, ${recheck},
      ${enabled}, ${momentToIso(firesAfter)}::timestamptz, clock_now(), ${today}::date, ${createdBy},
      ${enabled ? createdBy : null}, ${[...hands]}::uuid[])
    returning id`;

/**
 * `beginning`: from where a policy starts again. Null: it goes on. `enabledBy`: the person who enables it. Null keeps the one who did.
 * `hands`: the people behind a change of what it does. Null keeps them.
 */
export async function updatePolicy(
  tx: OrgTx,
  id: string,
  { name, trigger, offset_days, condition, effects, delay, recheck, enabled }: PolicySpec,
  {
    beginning,
    enabledBy,
    hands,
  }: { beginning: Beginning | null; enabledBy: string | null; hands: readonly string[] | null },
): Promise<void> {
  const startsAfter = beginning === null ? null : momentToIso(beginning.firesAfter);
  await run(tx)`
    update policy set name = ${name}, trigger = ${trigger}, offset_days = ${offset_days}, condition = ${condition},
      effects = ${JSON.stringify(effects)}::jsonb, delay = ${delay}, recheck = ${recheck}, enabled = ${enabled},
      fires_after = coalesce(${startsAfter}::timestamptz, fires_after),
      ran_at = ${beginning === null ? sql`ran_at` : sql`clock_now()`},
      days_until = coalesce(${beginning?.today ?? null}::date, days_until),
      enabled_by = coalesce(${enabledBy}, enabled_by), hands = coalesce(${hands && [...hands]}::uuid[], hands), updated_at = clock_now()
    where org_id = ${tx.orgId} and id = ${id}`;
}

/** Deletes a policy. Its open tasks still ask it (D74). */
export async function deletePolicy(
  tx: OrgTx,
  { id, name, trigger, offset_days, condition, effects, delay, recheck }: Policy,
): Promise<void> {
  await run(tx)`delete from policy where org_id = ${tx.orgId} and id = ${id}`;
  const definition = { name, trigger, offset_days, condition, effects, delay, recheck, enabled: false };
  await run(tx)`
    insert into deleted_policy (org_id, id, definition) values (${tx.orgId}, ${id}, ${JSON.stringify(definition)}::jsonb)`;
}

/** Returns these policies, also those that were deleted. */
export const policiesThatMade = (db: OrgDb, ids: readonly string[]) => many<
  PolicySpec & { id: string; enabled_by: string | null }
>(db)`
    select p.id, p.name, p.trigger, p.offset_days, p.condition, p.effects, p.delay, p.recheck, p.enabled, coalesce(p.enabled_by, p.created_by) as enabled_by
    from policy p where p.org_id = ${db.orgId} and p.id = any(${ids}::uuid[])
    union all
    select d.id, d.definition ->> 'name', d.definition ->> 'trigger', (d.definition ->> 'offset_days')::integer, d.definition ->> 'condition', d.definition -> 'effects',
      d.definition ->> 'delay', (d.definition ->> 'recheck')::boolean, false, null
    from deleted_policy d where d.org_id = ${db.orgId} and d.id = any(${ids}::uuid[])`;

const DEFAULT_TASK_LIMIT = 1000;

export async function taskLimit(db: OrgDb): Promise<number> {
  return (
    (await value<number | undefined>(db)`
    select task_limit from policy_settings where org_id = ${db.orgId}`) ?? DEFAULT_TASK_LIMIT
  );
}

/** Returns the limit before. */
export async function setTaskLimit(tx: OrgTx, limit: number): Promise<number> {
  return (
    (await value<number | null | undefined>(tx)`
    insert into policy_settings (org_id, task_limit) values (${tx.orgId}, ${limit})
    on conflict (org_id) do update set task_limit = excluded.task_limit
    returning old.task_limit as before`) ?? DEFAULT_TASK_LIMIT
  );
}
