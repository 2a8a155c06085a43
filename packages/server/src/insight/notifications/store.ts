import { randomUUIDv7 } from 'node:crypto';
import { absentPeople } from '#directory/people/deputy-facts.ts';
import { isSampleEmail } from '#directory/people/sample-emails.ts';
import { databaseTime, type OrgTx, raise } from '#kit/database.ts';
import type { Draft, Recipient } from '#log/notices/draft.ts';
import { shortened } from '#log/notices/shortened.ts';
import { DEFAULTS, settingOf } from './preferences.ts';
import { channelsFor } from './queries/channels.ts';
import { findPeople, type PersonFacts } from './queries/lookups.ts';
import { findPreferences } from './queries/preferences.ts';
import * as queries from './queries/store.ts';
import { dueAt } from './schedule.ts';

/**
 * Stores notifications for all recipients that do not have them yet, with their deliveries. The caller's transaction holds the
 * lock of the organization's cursor.
 */
export async function storeDrafts(
  tx: OrgTx,
  drafts: readonly Draft[],
  { canEmail }: { canEmail: boolean },
): Promise<void> {
  if (drafts.length === 0) return;
  const now = await databaseTime(tx);
  const rows = [...(await forPeople(tx, drafts, now, canEmail)), ...(await forChannels(tx, drafts))];
  const added = await queries.insertNotifications(
    tx,
    rows.map(({ notification }) => notification),
  );
  const deliveries = rows.flatMap((row) => (added.has(row.notification.id) ? row.deliveries : []));
  await queries.insertDeliveries(tx, deliveries);
  raise(tx, 'messages');
}

interface Row {
  notification: queries.NewNotification;
  deliveries: queries.NewDelivery[];
}

async function forPeople(tx: OrgTx, drafts: readonly Draft[], now: Date, canEmail: boolean): Promise<Row[]> {
  const recipients = new Map(
    drafts
      .flatMap((draft) =>
        draft.to.map((to) => [`${to.userId} ${draft.key}`, { draft, to }] as const).reverse(),
      )
      .reverse(),
  );
  const ids = [...recipients.values()].map(({ to }) => to.userId);
  // Until the transaction ends, they cannot be deleted.
  const existing = await queries.lockPeople(tx, [...new Set(ids)].sort());
  const represented = [...recipients.values()].flatMap(({ to }) => to.onBehalfOf ?? []);
  const people = await findPeople(tx, [...existing, ...new Set(represented)]);
  const absent = new Set(
    represented.length === 0 ? [] : (await absentPeople(tx)).map(({ absentId }) => absentId),
  );
  const preferences = await findPreferences(tx, existing);
  return [...recipients.values()].flatMap(({ draft, to }) => {
    const person = people.get(to.userId);
    if (person === undefined) return [];
    const chosen = preferences.get(person.id) ?? DEFAULTS;
    const { kind } = draft;
    const isActive = person.status === 'active';
    const inInbox = isActive && kind !== 'sign_in_link';
    const notification = {
      ...common(draft),
      user_id: person.id,
      channel_id: null,
      body: `${onBehalfOf(to, people, absent)}${draft.body}`,
      in_inbox: inInbox,
    };
    const base = { notification_id: notification.id, user_id: person.id, channel_id: null, kind };
    const due = dueAt(chosen, kind, now);
    const reason = isSampleEmail(person.email) ? SAMPLE : reasonNot(isActive, canEmail, due);
    const email: queries.NewDelivery = {
      ...base,
      id: randomUUIDv7(),
      medium: 'email',
      state: reason === null ? 'waiting' : 'skipped',
      due_at: due ?? now,
      digest: settingOf(chosen, kind) === 'daily',
      last_error: reason,
    };
    const inbox: queries.NewDelivery = {
      ...base,
      id: randomUUIDv7(),
      medium: 'inbox',
      state: inInbox ? 'sent' : 'skipped',
      due_at: now,
      digest: false,
      last_error: isActive ? null : DEACTIVATED,
    };
    return [{ notification, deliveries: kind === 'sign_in_link' ? [email] : [inbox, email] }];
  });
}

export const DEACTIVATED = 'The person is deactivated.';
const SAMPLE = 'The person belongs to the sample company.';
export const TURNED_OFF = 'The person has turned these emails off.';

function reasonNot(isActive: boolean, canEmail: boolean, due: Date | null): string | null {
  if (!isActive) return DEACTIVATED;
  if (!canEmail) return 'Emails are not configured.';
  return due === null ? TURNED_OFF : null;
}

/** Returns a line that names the person in whose place the recipient decides: an absent one, or one who waited too long. */
function onBehalfOf(
  { onBehalfOf: id }: Recipient,
  people: ReadonlyMap<string, PersonFacts>,
  absent: ReadonlySet<string>,
): string {
  const name = typeof id === 'string' ? people.get(id)?.name : undefined;
  if (typeof id !== 'string' || name === undefined) return '';
  return `You decide for ${name}${absent.has(id) ? ', who is absent' : ''}.\n`;
}

async function forChannels(tx: OrgTx, drafts: readonly Draft[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const draft of drafts) {
    if (draft.appId === undefined) continue;
    for (const { id: channel_id, type: medium } of await channelsFor(tx, draft.kind, draft.appId)) {
      const notification = { ...common(draft), user_id: null, channel_id, body: draft.body, in_inbox: false };
      const delivery: queries.NewDelivery = {
        id: randomUUIDv7(),
        notification_id: notification.id,
        medium,
        user_id: null,
        channel_id,
        kind: draft.kind,
        state: 'waiting',
        due_at: new Date(0),
        digest: false,
        last_error: null,
      };
      rows.push({ notification, deliveries: [delivery] });
    }
  }
  return rows;
}

const LONGEST_TITLE = 500;

const common = ({ kind, key, title, path, about }: Draft) => ({
  id: randomUUIDv7(),
  kind,
  dedupe_key: key,
  title: shortened(title, LONGEST_TITLE),
  path,
  about_type: about?.type ?? null,
  about_id: about?.id ?? null,
});
