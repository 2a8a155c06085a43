import { statusAt } from '#directory/people/facts.ts';
import { accounts } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgTx } from '#kit/database.ts';
import { many, one, type RawBuilder, run, sql, value, values } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import { isBecauseOf } from '../facts.ts';
import { type Change, type Client, type Guard, type Present, type Subject, WINDOW_SECONDS } from '../hold.ts';

/** A window after its changes were counted. */
export interface Counted {
  id: string;
  count: number;
  total: number;
  /** The people of the base among them. */
  base_count: number;
  base_total: number;
  /** Whether it is a hold already. */
  held: boolean;
  /** Null: the guard is off. */
  guard: Guard | null;
}

/**
 * How much longer a window stays before the changes that are older than its time leave it. With it, windows are counted again once in a
 * while, and not with each change; a window never forgets a change too early.
 */
const SLACK = 1 / 12;

const guardOf = ({ kind }: Subject) => sql.ref(kind === 'people' ? 'people_guard' : 'group_guard');

const listOf = (changes: readonly Change[]) => sql`unnest(
  ${changes.map(({ userId }) => userId)}::uuid[], ${changes.map(({ type }) => type)}::text[],
  ${changes.map(({ joinedAt }) => joinedAt?.toISOString() ?? null)}::timestamptz[]) as p (id, type, joined_at)`;

/** Whether a person whom a group has, or had, belongs to its base. The arguments are SQL expressions. */
const isBaseMember = (
  org: Org,
  userId: RawBuilder<unknown>,
  joinedAt: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
) => sql`(
  coalesce(${joinedAt} <= ${at}, true) and ${statusAt(org, userId, at)} is distinct from 'deactivated')`;

/** Whether a SCIM client did not manage a person yet. It takes over people whom others have created. The arguments are SQL expressions. */
const isTakenOverAfter = (
  org: Org,
  keyId: string,
  userId: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
) => sql`exists (
  select from person_source latest
  where latest.org_id = ${org.orgId} and latest.user_id = ${userId} and latest.key_id = ${keyId} and latest.managed_since > ${at})`;

const scimKeyOf = (client: Client | null) => (client?.type === 'scim' ? client.id : null);

/** Whether the person of a change belongs to the base: was a member, was active, or is succeeded and existed. */
function isInBase(
  org: Org,
  { kind, client }: Pick<Subject, 'kind' | 'client'>,
  { id, type, joinedAt, at }: Record<'id' | 'type' | 'joinedAt' | 'at', RawBuilder<unknown>>,
) {
  if (kind === 'group') return isBaseMember(org, id, joinedAt, at);
  const keyId = scimKeyOf(client);
  const isManaged = keyId === null ? sql`true` : sql`not ${isTakenOverAfter(org, keyId, id, at)}`;
  return sql`(${isManaged} and coalesce(
    ${statusAt(org, id, at)} = 'active' or ${type} = 'succeeded' and ${statusAt(org, id, at)} is not null, false))`;
}

const columnsOf = (alias: 'p' | 'c', at: RawBuilder<unknown>) => ({
  id: sql.ref(alias === 'p' ? 'p.id' : 'c.user_id'),
  type: sql.ref(`${alias}.type`),
  joinedAt: sql.ref(`${alias}.joined_at`),
  at,
});

/** Adds changes to the present window of a subject, in constant time for each. Returns undefined if it has none, or if its time is over. */
export async function addChanges(
  tx: OrgTx,
  subject: Subject,
  changes: readonly Change[],
): Promise<Counted | undefined> {
  const seconds = WINDOW_SECONDS[subject.kind] * (1 + SLACK);
  return one<Counted>(tx)`
    with present as materialized (
      select w.id, w.base_at from hold_window w
      where w.org_id = ${tx.orgId} and w.kind = ${subject.kind} and w.subject = ${subject.id} and w.decided_at is null
        and (w.held_at is not null or seconds_after(w.started_at, ${seconds}) > clock_now())
    ), added as (
      insert into hold_change (org_id, window_id, user_id, type, at, joined_at, in_base)
      select ${tx.orgId}::uuid, present.id, p.id, p.type, clock_now(), p.joined_at,
        ${isInBase(tx, subject, columnsOf('p', sql`present.base_at`))}
      from present cross join ${listOf(changes)}
      on conflict (org_id, window_id, user_id) do update set type = excluded.type, at = excluded.at, in_base = excluded.in_base
      where hold_change.type = 'successor' and excluded.type <> 'successor'
      returning type, in_base
    ), counted as (
      update hold_window w set count = w.count + (select count(*) from added where added.type <> 'successor'),
        base_count = w.base_count + (select count(*) from added where added.type <> 'successor' and added.in_base)
      where w.org_id = ${tx.orgId} and w.id = (select present.id from present)
      returning w.id, w.count, w.total, w.base_count, w.base_total, w.held_at is not null as held)
    select counted.id, counted.count, counted.total, counted.base_count, counted.base_total, counted.held,
      o.${guardOf(subject)} as guard
    from counted join organization o on o.id = ${tx.orgId}`;
}

/** Returns the time one length of a window ago: who came later does not belong to the base of a window that begins now. */
export async function timeBefore(tx: OrgTx, { kind }: Subject): Promise<string> {
  const rows = await many<{ at: Date }>(tx)`
    select seconds_after(clock_now(), ${-WINDOW_SECONDS[kind]}) as at`;
  return (rows[0] as { at: Date }).at.toISOString();
}

/** Counts the people of changes who have left, and those of the base at this time among them. */
export async function countLeft(
  tx: OrgTx,
  subject: Subject,
  { changes, since }: { changes: readonly Change[]; since: string },
): Promise<Present> {
  return (await one<Present>(tx)`
    select count(*) as total, count(*) filter (where ${isInBase(tx, subject, columnsOf('p', sql`${since}::timestamptz`))}) as base
    from ${listOf(changes)} where p.type = 'left'`) as Present;
}

/**
 * Begins a window for a subject, or goes on with the one whose time is over: without the changes before `since`, which is one length of a
 * window ago. `present` is how many people the subject has, other than those who have left in the window.
 */
export async function beginWindow(
  tx: OrgTx,
  { kind, id, client, groupName }: Subject,
  since: string,
  { total, base }: Present,
): Promise<void> {
  const present = await value<string | undefined>(tx)`
    select id from hold_window
    where org_id = ${tx.orgId} and kind = ${kind} and subject = ${id} and decided_at is null`;
  if (present === undefined) {
    await run(tx)`
      insert into hold_window (org_id, kind, subject, client_type, client_id, group_name, started_at, total, base_at, base_total)
      values (${tx.orgId}, ${kind}, ${id}, ${client?.type ?? null}, ${client?.id ?? null}, ${groupName}, clock_now(),
        ${total}, ${since}::timestamptz, ${base})`;
    return;
  }
  await run(tx)`
    delete from hold_change
    where org_id = ${tx.orgId} and window_id = ${present} and at <= ${since}::timestamptz`;
  // The base has moved.
  await run(tx)`
    update hold_change c set in_base = ${isInBase(tx, { kind, client }, columnsOf('c', sql`${since}::timestamptz`))}
    where c.org_id = ${tx.orgId} and c.window_id = ${present}`;
  const left = await many<Present>(tx)`
    select count(*) as total, count(*) filter (where in_base) as base from hold_change
    where org_id = ${tx.orgId} and window_id = ${present} and type <> 'successor'`;
  const before = left[0] as Present;
  await run(tx)`
    update hold_window set started_at = ${since}::timestamptz, base_at = ${since}::timestamptz, count = ${before.total},
      total = ${total + before.total}, base_count = ${before.base}, base_total = ${base + before.base}
    where org_id = ${tx.orgId} and id = ${present}`;
}

/** Makes a window an open hold. `total` is the number of which its people are a part. */
export const openHold = (
  tx: OrgTx,
  { id, total }: Pick<Counted, 'id' | 'total'>,
  { client, percent }: { client: Client | null; percent: number },
) => run(tx)`
    update hold_window set held_at = clock_now(), percent = ${percent}, total = ${total},
      client_type = ${client?.type ?? null}, client_id = ${client?.id ?? null}
    where org_id = ${tx.orgId} and id = ${id}`;

/** Takes these people out of the windows that a condition on window `w` and change `c` selects. They are active, or in the group, again. */
const forget = (tx: OrgTx, people: readonly string[], where: ReturnType<typeof sql>) => sql`
  with gone as (
    delete from hold_change c using hold_window w
    where c.org_id = ${tx.orgId} and c.user_id = any(${people}::uuid[]) and w.org_id = ${tx.orgId} and w.id = c.window_id
      and w.decision is distinct from 'confirmed' and ${where}
    returning c.window_id, c.user_id, c.type, c.in_base
  ), fewer as (
    update hold_window w set count = w.count - g.n, base_count = w.base_count - g.base
    from (select window_id, count(*) filter (where type <> 'successor') as n,
      count(*) filter (where type <> 'successor' and in_base) as base from gone group by 1) g
    where w.org_id = ${tx.orgId} and w.id = g.window_id and w.decided_at is null)
  update hold_firing f set tasks = 0 from gone
  where f.org_id = ${tx.orgId} and f.hold_id = gone.window_id and f.subject = gone.user_id`;

/** Takes people who are active again out of the windows of people. */
export async function forgetReturned(tx: OrgTx, people: readonly string[]): Promise<void> {
  await forget(tx, people, sql`w.kind = 'people' and c.type <> 'successor'`).execute(tx);
}

/**
 * Takes people who are in a group again out of its window. Their new groups are a new reason for policies, so a discarded hold of any
 * group no longer counts for them, and neither for those who leave this one.
 */
export async function forgetMembers(
  tx: OrgTx,
  groupId: string,
  { joining, leaving }: { joining: readonly string[]; leaving: readonly string[] },
): Promise<void> {
  const rejoins = sql`w.subject = ${groupId} and c.user_id = any(${joining}::uuid[])`;
  await forget(
    tx,
    [...joining, ...leaving],
    sql`w.kind = 'group' and (w.decision = 'discarded' or ${rejoins})`,
  ).execute(tx);
}

/**
 * Returns when those of these people had joined a group (null: with its creation) who left it in the time of a window. A client that removes
 * members and adds them again makes no newcomers of them.
 */
export async function formerMembers(
  tx: OrgTx,
  groupId: string,
  people: readonly string[],
): Promise<Map<string, Date | null>> {
  const rows = await many<{ user_id: string; joined_at: Date | null }>(tx)`
    select c.user_id, case when bool_and(c.joined_at is not null) then min(c.joined_at) end as joined_at
    from hold_change c join hold_window w on w.org_id = ${tx.orgId} and w.id = c.window_id
    where c.org_id = ${tx.orgId} and c.user_id = any(${people}::uuid[]) and w.kind = 'group' and w.subject = ${groupId}
      and c.at > seconds_after(clock_now(), ${-WINDOW_SECONDS.group})
    group by c.user_id`;
  return new Map(rows.map(({ user_id, joined_at }) => [user_id, joined_at]));
}

/** Returns those of these people who were active until they were deleted in this transaction. */
export const wereActive = (tx: OrgTx, people: readonly string[]) => values<string>(tx)`
    select given.id from unnest(${people}::uuid[]) as given (id)
    where (select p.status from person_period p where p.org_id = ${tx.orgId} and p.user_id = given.id
      order by p.ended_at desc limit 1) = 'active'`;

/** Returns those of these people who are active. */
export const activeAmong = (tx: OrgTx, people: readonly string[]) => values<string>(tx)`
    select u.id from platform_user u
    where u.org_id = ${tx.orgId} and u.id = any(${people}::uuid[]) and u.status = 'active'`;

/** Counts the active people: those whom a SCIM client manages, or all of them (null). The base was active at `since`. */
export async function countPeople(tx: OrgTx, keyId: string | null, since: string): Promise<Present> {
  const at = sql`${since}::timestamptz`;
  const managed = sql`and exists (
    select from person_source s
    where s.org_id = ${tx.orgId} and s.user_id = u.id and s.key_id = ${keyId} and s.deleted_at is null)`;
  const wasManaged = keyId === null ? sql`true` : sql`not ${isTakenOverAfter(tx, keyId, sql`u.id`, at)}`;
  return (await one<Present>(tx)`
    select count(*) as total,
      count(*) filter (where (u.updated_at <= ${at} or ${statusAt(tx, sql`u.id`, at)} = 'active') and ${wasManaged}) as base
    from platform_user u
    where u.org_id = ${tx.orgId} and u.status = 'active' ${keyId === null ? sql`` : managed}`) as Present;
}

/** Counts the active members of a group. The base were members at `since`. */
export async function countMembers(tx: OrgTx, groupId: string, since: string): Promise<Present> {
  const base = isBaseMember(tx, sql`u.id`, sql`m.joined_at`, sql`${since}::timestamptz`);
  return (await one<Present>(tx)`
    select count(*) as total, count(*) filter (where ${base}) as base
    from person_group_member m
    join platform_user u on u.org_id = ${tx.orgId} and u.id = m.user_id and u.status = 'active'
    where m.org_id = ${tx.orgId} and m.group_id = ${groupId}`) as Present;
}

/** Returns the accounts of the people of a window. */
export const accountsOf = (tx: OrgTx, windowId: string) => values<string>(tx)`
    select a.id from hold_change c join ${accounts} a on a.org_id = ${tx.orgId} and a.user_id = c.user_id
    where c.org_id = ${tx.orgId} and c.window_id = ${windowId}`;

/**
 * Returns the tasks that policies (null: all) have made for the people of a window since they came into it, or because they had left
 * before, that no connector has fetched, and that nobody has confirmed.
 */
export const tasksSince = (tx: OrgTx, windowId: string, policies: readonly string[] | null) => many<{
  id: string;
  account_id: string;
}>(tx)`
    select t.id, t.account_id
    from hold_change c
    join ${accounts} a on a.org_id = ${tx.orgId} and a.user_id = c.user_id
    join ${tasks} t on t.org_id = ${tx.orgId} and t.account_id = a.id
    where c.org_id = ${tx.orgId} and c.window_id = ${windowId} and ${isBecauseOf(tx)}
      and t.status in ('scheduled', 'pending') and t.dispatched_at is null and t.released_at is null
      and t.waits_for is distinct from 'hold'
      and (${policies}::uuid[] is null or t.source_id = any(${policies}::uuid[]))`;
