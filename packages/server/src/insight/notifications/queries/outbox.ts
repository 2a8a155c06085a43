import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { exists, many, one, type RawBuilder, run, sql } from '#kit/sql.ts';
import type { About } from '#log/notices/draft.ts';
import type { KindName } from '#log/notices/kinds.ts';
import type { Medium } from '../filters.ts';

export type Outgoing = Exclude<Medium, 'inbox'>;

/** Returns the organizations with deliveries or messages that are due on one of these media. */
export const organizationsToSend = (db: Db, media: readonly Outgoing[]) => many<{ org_id: string }>(
  everywhere(db),
)`
      select w.org_id from (
        select d.org_id from notification_delivery d
        where d.state = 'waiting' and d.message_id is null and d.due_at <= clock_now()
          and d.medium = any(${media}::text[])
        union
        select m.org_id from notification_message m
        where m.ended_at is null and m.next_attempt_at <= clock_now() and m.medium = any(${media}::text[])
          and (m.leased_until is null or m.leased_until <= clock_now())
      ) w where ${isActiveOrganization('w.org_id')}`;

/** Returns the seconds until the next delivery or message is due on one of these media. */
export const untilDueMessage = (db: Db, media: readonly Outgoing[]) => secondsUntilFirst(db)`
    select w.at from (
      select d.org_id, min(d.due_at) as at from notification_delivery d
      where d.state = 'waiting' and d.message_id is null and d.medium = any(${media}::text[])
      group by d.org_id
      union all
      select m.org_id, min(greatest(m.next_attempt_at, m.leased_until)) from notification_message m
      where m.ended_at is null and m.medium = any(${media}::text[])
      group by m.org_id
    ) w where ${isActiveOrganization('w.org_id')}`;

export interface DueDelivery {
  id: string;
  kind: KindName;
  user_id: string | null;
  channel_id: string | null;
  medium: Outgoing;
  digest: boolean;
}

/** Returns deliveries that are due and belong to no message yet, by recipient, those of `first` kinds before all others. */
export const dueDeliveries = (
  tx: OrgTx,
  media: readonly Outgoing[],
  first: readonly KindName[],
  limit: number,
) => many<DueDelivery>(tx)`
    select d.id, d.kind, d.user_id, d.channel_id, d.medium, d.digest from notification_delivery d
    where d.org_id = ${tx.orgId} and d.state = 'waiting' and d.message_id is null and d.due_at <= clock_now()
      and d.medium = any(${media}::text[])
    order by (d.kind = any(${first}::text[])) desc, d.user_id, d.channel_id, d.id limit ${limit}`;

/** Returns the times of the messages of these people since `minutes` ago, newest first, without those of `ignored` kinds only. */
export async function recentMessages(
  tx: OrgTx,
  userIds: readonly string[],
  minutes: number,
  ignored: readonly string[],
): Promise<Map<string, Date[]>> {
  const rows = await many<{ user_id: string; created_at: Date }>(tx)`
    select m.user_id, m.created_at from notification_message m
    where m.org_id = ${tx.orgId} and m.user_id = any(${userIds}::uuid[])
      and m.created_at > clock_now() - ${minutes}::integer * interval '1 minute'
      and exists (
        select from notification_delivery d
        where d.org_id = ${tx.orgId} and d.message_id = m.id and not d.kind = any(${ignored}::text[]))
    order by m.created_at desc`;
  const times = new Map<string, Date[]>();
  for (const { user_id, created_at } of rows) times.set(user_id, [...(times.get(user_id) ?? []), created_at]);
  return times;
}

export interface NewMessage {
  id: string;
  medium: Outgoing;
  user_id: string | null;
  channel_id: string | null;
  urgent: boolean;
  deliveries: string[];
}

export async function insertMessages(tx: OrgTx, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await run(tx)`
    insert into notification_message (org_id, id, medium, user_id, channel_id, urgent)
    select ${tx.orgId}::uuid, r.id, r.medium, r.user_id, r.channel_id, r.urgent
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb)
      as r (id uuid, medium text, user_id uuid, channel_id uuid, urgent boolean)`;
  const ids = messages.flatMap(({ deliveries }) => deliveries);
  const of = messages.flatMap(({ id, deliveries }) => deliveries.map(() => id));
  await run(tx)`
    update notification_delivery d set message_id = r.message_id
    from unnest(${ids}::uuid[], ${of}::uuid[]) as r (id, message_id)
    where d.org_id = ${tx.orgId} and d.id = r.id`;
}

/** Makes deliveries due later. `digest`: with the daily digest. */
export const postpone = (tx: OrgTx, ids: readonly string[], to: Date, digest = false) => run(tx)`
    update notification_delivery set due_at = ${to.toISOString()}::timestamptz, digest = digest or ${digest}
    where org_id = ${tx.orgId} and id = any(${ids}::uuid[])`;

export interface Claimed {
  id: string;
  medium: Outgoing;
  user_id: string | null;
  channel_id: string | null;
  attempts: number;
  created_at: Date;
}

/** Takes the message that is due first, urgent ones before others, for `seconds`. A node that dies leaves it to the others after that. */
export async function claimMessage(
  tx: OrgTx,
  media: readonly Outgoing[],
  seconds: number,
): Promise<Claimed | undefined> {
  const claimed = await one<Claimed>(tx)`
    select m.id, m.medium, m.user_id, m.channel_id, m.attempts + 1 as attempts, m.created_at
    from notification_message m
    where m.org_id = ${tx.orgId} and m.ended_at is null and m.next_attempt_at <= clock_now()
      and m.medium = any(${media}::text[]) and (m.leased_until is null or m.leased_until <= clock_now())
    order by m.urgent desc, m.next_attempt_at, m.id limit 1 for update skip locked`;
  if (claimed === undefined) return undefined;
  await run(tx)`
    update notification_message set attempts = ${claimed.attempts},
      leased_until = clock_now() + ${seconds}::integer * interval '1 second'
    where org_id = ${tx.orgId} and id = ${claimed.id}`;
  return claimed;
}

export interface Part {
  delivery_id: string;
  dedupe_key: string;
  kind: KindName;
  digest: boolean;
  about_type: About['type'] | null;
  about_id: string | null;
  title: string;
  body: string;
  path: string;
}

/** Returns what a message is to contain, oldest first. */
export const partsOf = (db: OrgDb, messageId: string) => many<Part>(db)`
    select d.id as delivery_id, n.dedupe_key, d.kind, d.digest, n.about_type, n.about_id, n.title, n.body, n.path
    from notification_delivery d
    join notification n on n.org_id = ${db.orgId} and n.id = d.notification_id
    where d.org_id = ${db.orgId} and d.message_id = ${messageId} and d.state = 'waiting'
    order by n.id`;

/** Ends deliveries that are not sent. */
export async function skip(db: OrgDb, ids: readonly string[], reason: string): Promise<void> {
  if (ids.length === 0) return;
  await run(db)`
    update notification_delivery set state = 'skipped', last_error = ${reason}
    where org_id = ${db.orgId} and id = any(${ids}::uuid[]) and state = 'waiting'`;
}

type Attempt = Pick<Claimed, 'id' | 'attempts'>;

/** Changes a message. Returns false if it has ended, or another node has claimed it since. */
const changeMessage = (db: OrgDb, { id, attempts }: Attempt, changes: RawBuilder<unknown>) => exists(db)`
    update notification_message set ${changes}
    where org_id = ${db.orgId} and id = ${id} and ended_at is null and attempts = ${attempts} returning id`;

const after = (seconds: number) => sql`clock_now() + ${seconds}::integer * interval '1 second'`;

/** Extends a claim by `seconds`. Returns false if another node has claimed the message since. */
export const holdMessage = (db: OrgDb, message: Attempt, seconds: number) =>
  changeMessage(db, message, sql`leased_until = ${after(seconds)}`);

/** Ends a message, unless another node has claimed it since. `reason`: why it was not sent. */
export async function endMessage(tx: OrgTx, message: Attempt, reason: string | null): Promise<void> {
  if (!(await changeMessage(tx, message, sql`ended_at = clock_now(), leased_until = null`))) return;
  const result = reason === null ? sql`state = 'sent', sent_at = clock_now()` : sql`state = 'failed'`;
  await run(tx)`
    update notification_delivery set attempts = ${message.attempts}, last_error = ${reason}, ${result}
    where org_id = ${tx.orgId} and message_id = ${message.id} and state = 'waiting'`;
}

/** Schedules another attempt, unless another node has claimed the message since. */
export async function retryMessage(
  tx: OrgTx,
  message: Attempt,
  reason: string,
  seconds: number,
): Promise<void> {
  if (!(await changeMessage(tx, message, sql`leased_until = null, next_attempt_at = ${after(seconds)}`)))
    return;
  await run(tx)`
    update notification_delivery set attempts = ${message.attempts}, last_error = ${reason}
    where org_id = ${tx.orgId} and message_id = ${message.id} and state = 'waiting'`;
}

/** Counts the deliveries of all organizations that are waiting, by medium. */
export const countWaiting = (db: Db) => many<{ medium: Outgoing; n: number }>(everywhere(db))`
    select d.medium, count(*)::bigint as n from notification_delivery d
    where d.state = 'waiting' group by d.medium`;
