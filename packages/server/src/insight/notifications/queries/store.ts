import type { OrgTx } from '#kit/database.ts';
import { many, run, values } from '#kit/sql.ts';
import type { About } from '#log/notices/draft.ts';
import type { KindName } from '#log/notices/kinds.ts';
import type { DeliveryState, Medium } from '../filters.ts';

export interface NewNotification {
  id: string;
  user_id: string | null;
  channel_id: string | null;
  kind: KindName;
  dedupe_key: string;
  about_type: About['type'] | null;
  about_id: string | null;
  title: string;
  body: string;
  path: string;
  in_inbox: boolean;
}

export interface NewDelivery {
  id: string;
  notification_id: string;
  medium: Medium;
  user_id: string | null;
  channel_id: string | null;
  kind: KindName;
  state: DeliveryState;
  due_at: Date;
  digest: boolean;
  last_error: string | null;
}

/** Keeps people from being deleted until `tx` ends. Returns those that exist. */
export const lockPeople = (tx: OrgTx, ids: readonly string[]) => values<string>(tx)`
    select id from platform_user where org_id = ${tx.orgId} and id = any(${ids}::uuid[])
    order by id for key share`;

/** Inserts the notifications whose person or channel has none with the same key. Returns their ids. */
export async function insertNotifications(tx: OrgTx, rows: readonly NewNotification[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const added = await many<{ id: string }>(tx)`
    insert into notification (org_id, id, user_id, channel_id, kind, dedupe_key, about_type, about_id, title, body, path, in_inbox)
    select ${tx.orgId}::uuid, r.id, r.user_id, r.channel_id, r.kind, r.dedupe_key, r.about_type, r.about_id, r.title, r.body,
      r.path, r.in_inbox
    from jsonb_to_recordset(${json(rows)}::jsonb) as r (id uuid, user_id uuid, channel_id uuid, kind text,
      dedupe_key text, about_type text, about_id uuid, title text, body text, path text, in_inbox boolean)
    on conflict do nothing returning id`;
  return new Set(added.map(({ id }) => id));
}

export async function insertDeliveries(tx: OrgTx, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await run(tx)`
    insert into notification_delivery (org_id, id, notification_id, medium, user_id, channel_id, kind, state, due_at, digest,
      last_error, sent_at)
    select ${tx.orgId}::uuid, r.id, r.notification_id, r.medium, r.user_id, r.channel_id, r.kind, r.state, r.due_at,
      r.digest, r.last_error, case when r.state = 'sent' then r.due_at end
    from jsonb_to_recordset(${json(rows)}::jsonb) as r (id uuid, notification_id uuid, medium text, user_id uuid,
      channel_id uuid, kind text, state text, due_at timestamptz, digest boolean, last_error text)`;
}

/** Texts come from people and other systems, and jsonb has neither NUL nor half a surrogate pair. */
const json = (rows: readonly object[]) =>
  JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
