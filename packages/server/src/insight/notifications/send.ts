import type { Logger } from 'pino';
import { mintRequestedLink } from '#directory/sign-in/credentials/password-links.ts';
import { eventOfLink } from '#directory/sign-in/notices.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import { findEvent } from '#log/events/follow.ts';
import { type About, type Detail, date } from '#log/notices/draft.ts';
import { kindOf } from '#log/notices/kinds.ts';
import { type ChannelTools, postTo } from './channels.ts';
import { detailsOf } from './details.ts';
import { letterOf } from './email/layout.ts';
import type { Mailer } from './email/mailer.ts';
import { messageIdOf, messageIdOfLink } from './email/message-id.ts';
import type { Message } from './message.ts';
import type { Outcome } from './outcome.ts';
import { choicesOf, DEFAULTS } from './preferences.ts';
import { findChannel } from './queries/channels.ts';
import { findPeople, organizationOf, type PersonFacts } from './queries/lookups.ts';
import * as queries from './queries/outbox.ts';
import { stillWaiting } from './still-waits.ts';
import { DEACTIVATED } from './store.ts';
import { readableBy } from './visibility.ts';

export interface SendTools extends ChannelTools {
  logger: Logger;
  mailer: Mailer | undefined;
  /** The origin of links. */
  ownOrigin: () => string;
  /** Days after which an undecided request expires. */
  expiryDays: number;
  /** Returns the path of an organization's console. */
  consolePath: (slug: string) => string;
}

/** Longer than any attempt takes. */
const LEASE_SECONDS = 120;
const GIVE_UP_MS = 3 * 24 * 3_600_000;
/** The time in which a requested sign-in link must be sent: its request is soon out of date. */
const LONGEST_LINK_MS = 3_600_000;
const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 3600;

/**
 * Sends the next message of an organization. Returns its outcome, or undefined if none is due. No transaction is open while it
 * is sent: a node that dies between sending and marking leaves the message to another one, which sends it with the same
 * Message-ID.
 */
export async function sendNext(
  tools: SendTools,
  org: OrgDb,
  media: readonly queries.Outgoing[],
): Promise<Outcome | undefined> {
  const message = await transaction(org, (tx) => queries.claimMessage(tx, media, LEASE_SECONDS));
  if (message === undefined) return undefined;
  const outcome = await attempt(tools, org, message).catch((error: unknown): Outcome => {
    tools.logger.error(
      { err: error, orgId: org.orgId, message: message.id },
      'a notification could not be prepared',
    );
    return { ok: false, reason: 'Gatehouse could not prepare the message. Its log says why.', final: false };
  });
  await transaction(org, async (tx) => {
    if (outcome.ok) return queries.endMessage(tx, message, null);
    const isOver = outcome.final || Date.now() - message.created_at.getTime() >= GIVE_UP_MS;
    return isOver
      ? queries.endMessage(tx, message, outcome.reason)
      : queries.retryMessage(tx, message, outcome.reason, pauseAfter(message, outcome.pauseSeconds));
  });
  return outcome;
}

const pauseAfter = ({ attempts }: queries.Claimed, asked = 0) =>
  Math.max(asked, Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts - 1, 10), LONGEST_PAUSE_SECONDS));

async function attempt(tools: SendTools, org: OrgDb, message: queries.Claimed): Promise<Outcome> {
  const parts = await queries.partsOf(org, message.id);
  return message.user_id === null
    ? postParts(tools, org, message, message.channel_id ?? '', parts)
    : emailParts(tools, org, message, message.user_id, parts);
}

/** Sends the message, unless preparing it took so long that another node has claimed it. */
async function sendHeld(
  org: OrgDb,
  message: queries.Claimed,
  sendIt: () => Promise<Outcome>,
): Promise<Outcome> {
  if (await queries.holdMessage(org, message, LEASE_SECONDS)) return sendIt();
  return { ok: false, reason: 'Another node has claimed the message.', final: false };
}

async function postParts(
  tools: SendTools,
  org: OrgDb,
  message: queries.Claimed,
  channelId: string,
  parts: readonly queries.Part[],
): Promise<Outcome> {
  const channel = await findChannel(org, channelId);
  if (channel?.enabled !== true) {
    const reason = channel === undefined ? 'The channel was deleted.' : 'The channel is turned off.';
    await skipAll(org, parts, reason);
    return { ok: true };
  }
  const { expiryDays } = tools;
  const details = await detailsOf(org, parts, { expiryDays, showReasons: channel.show_reasons });
  await skipAll(org, without(parts, [...details.keys()]), 'It no longer waits for anybody.');
  if (details.size === 0) return { ok: true };
  const console = await consoleOf(tools, org);
  const messages = parts.flatMap((part) => {
    const shown = details.get(part);
    return shown === undefined ? [] : [postAt(console, part, shown)];
  });
  return sendHeld(org, message, () => postTo(tools, org, channel, messages));
}

async function emailParts(
  tools: SendTools,
  org: OrgDb,
  message: queries.Claimed,
  userId: string,
  all: readonly queries.Part[],
): Promise<Outcome> {
  const { mailer } = tools;
  if (mailer === undefined) return { ok: false, reason: 'Emails are not configured.', final: false };
  const person = (await findPeople(org, [userId])).get(userId);
  if (person?.status !== 'active') {
    await skipAll(org, all, DEACTIVATED);
    return { ok: true };
  }
  const parts = await readable(org, person, all);
  const [first] = parts;
  if (first === undefined) return { ok: true };
  if (first.kind === 'sign_in_link') return emailLink({ ...tools, mailer }, org, message, userId, first);
  const console = await consoleOf(tools, org);
  const reader = await choicesOf(org, userId);
  const canChange = parts.some(({ kind }) => kindOf(kind).security !== true);
  const preferences = canChange ? `${console}/settings/notifications` : null;
  const { name } = await organizationOf(org);
  const isDigest = parts.every(({ digest }) => digest);
  const letter = letterOf(parts.map(messageAt(console, reader)), {
    organization: name,
    isDigest,
    preferences,
  });
  return sendHeld(org, message, () =>
    mailer.send({ ...letter, messageId: messageIdOf(message.id), to: person.email, preferences }),
  );
}

/**
 * Skips notifications that the person may no longer read or that no longer wait for them: hours can pass until an email goes, with the
 * daily digest or after the quiet hours.
 */
async function readable(
  db: OrgDb,
  person: PersonFacts,
  parts: readonly queries.Part[],
): Promise<queries.Part[]> {
  const visible = await readableBy(db, person, parts);
  const waiting = await stillWaiting(db, person, visible);
  await skipAll(db, without(parts, visible), 'The person no longer has access to it.');
  await skipAll(db, without(visible, waiting), 'It no longer waits for this person.');
  return waiting;
}

/** Mints the link now, so that no secret is stored. */
async function emailLink(
  tools: SendTools & { mailer: Mailer },
  org: OrgDb,
  message: queries.Claimed,
  userId: string,
  part: queries.Part,
): Promise<Outcome> {
  const { mailer } = tools;
  const request = await findEvent(org, 'password.link_requested', eventOfLink(part.dedupe_key));
  const requestedBy = request?.actor.uuid;
  if (
    request === undefined ||
    typeof requestedBy !== 'string' ||
    Date.now() - request.at.getTime() > LONGEST_LINK_MS
  )
    return { ok: false, final: true, reason: 'Sending the link took too long. Send another one.' };
  const email = String(request.payload.email);
  const link = await mintRequestedLink(org, { userId, email, requestedBy });
  if ('reason' in link) {
    await skipAll(org, [part], link.reason);
    return { ok: true };
  }
  const chosen = await choicesOf(org, userId);
  const until = withTimes(date(link.expires_at), chosen);
  const content = {
    title: part.title,
    body: `An administrator has sent you this link. With it, you set your password and sign in. It works once, until ${until}.`,
    link: `${await consoleOf(tools, org)}/welcome#${link.token}`,
  };
  const { name } = await organizationOf(org);
  const letter = letterOf([content], { organization: name, isDigest: false, preferences: null });
  const messageId = messageIdOfLink(message);
  return sendHeld(org, message, () => mailer.send({ ...letter, messageId, to: email, preferences: null }));
}

const messageAt =
  (console: string, reader: Reader) =>
  ({ title, body, path }: queries.Part): Message => ({
    title,
    body: withTimes(body, reader),
    link: `${console}${path}`,
  });

const BUTTONS: Partial<Record<About['type'], string>> = {
  ticket: 'Open request',
  cycle: 'Open review',
  task: 'Open task',
};

/** Returns a notification for a channel, whose readers see the things that wait with their details. */
const postAt = (console: string, part: queries.Part, details: readonly Detail[]): Message => ({
  ...messageAt(console, DEFAULTS)(part),
  open: (part.about_type !== null && BUTTONS[part.about_type]) || 'Open in Gatehouse',
  details: details.map((detail) => ({ ...detail, text: withTimes(detail.text, DEFAULTS) })),
});

async function consoleOf({ ownOrigin, consolePath }: SendTools, org: OrgDb): Promise<string> {
  const { slug } = await organizationOf(org);
  return `${ownOrigin()}${consolePath(slug)}`;
}

const without = (parts: readonly queries.Part[], some: readonly queries.Part[]) => [
  ...new Set(parts).difference(new Set(some)),
];

const skipAll = (db: OrgDb, parts: readonly queries.Part[], reason: string) =>
  queries.skip(
    db,
    parts.map(({ delivery_id }) => delivery_id),
    reason,
  );

const STORED = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

interface Reader {
  time_zone: string | null;
  language: string | null;
}

/** Returns a text with its times in the language and time zone of its reader. */
function withTimes(text: string, { time_zone, language }: Reader): string {
  const format = new Intl.DateTimeFormat(language ?? 'en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: time_zone ?? 'UTC',
  });
  return text.replace(STORED, (time) => `${format.format(new Date(time))} (${time_zone ?? 'UTC'})`);
}
