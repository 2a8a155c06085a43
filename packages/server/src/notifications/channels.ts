import { adminAppOf } from '../apps/admin.ts';
import { changedFields } from '../events/changes.ts';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import { takeTurnsIn } from '../identity/organization-facts.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isAllowedAddress } from '../platform/http/outbound.ts';
import { isUuid } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { post } from './chat/post.ts';
import type { KindName } from './kinds.ts';
import type { Outcome } from './outcome.ts';
import * as queries from './queries/channels.ts';

export interface ChannelTools {
  db: Db;
  secrets: Secrets;
  /** Whether channels may be on this machine, for development. */
  allowLoopback: () => boolean;
}

export interface ChannelInput {
  name: string;
  url: string;
  app?: string | null;
  kinds: KindName[];
  enabled?: boolean;
}

export type Channel = queries.ChannelView;

const MOST_CHANNELS = 100;
const PURPOSE = 'notification_channel.sealed_url';

export const listChannels = (db: Db, orgId: string, page: Page): Promise<Slice<Channel>> =>
  queries.listChannels(db, orgId, page);

/** Returns a channel. Throws 404 if the organization has none with this id. */
export async function requireChannel(db: Db, orgId: string, id: string): Promise<Channel> {
  const channel = isUuid(id) ? await queries.findChannel(db, orgId, id) : undefined;
  if (channel === undefined) throw notFound('Channel');
  return channel;
}

/** Adds an incoming webhook of Slack or Microsoft Teams. Throws 400 for an unsafe address, and 404 for an unknown app. */
export async function createChannel(
  { db, secrets, allowLoopback }: ChannelTools,
  principal: Principal,
  cause: RequestCause,
  { type, name, url, app = null, kinds, enabled = true }: ChannelInput & { type: 'slack' | 'teams' },
): Promise<Channel> {
  requireMayRead(principal);
  const { orgId } = principal;
  const host = hostOf(url, allowLoopback());
  return transaction(db, async (tx) => {
    if (app !== null) await adminAppOf(tx, orgId, app);
    await takeTurnsIn(tx, orgId);
    if ((await queries.countChannels(tx, orgId)) >= MOST_CHANNELS)
      throw conflict(`An organization can have ${MOST_CHANNELS} channels. Delete one first.`);
    const sealed_url = await secrets.seal(tx, orgId, PURPOSE, Buffer.from(url));
    const id = await queries.insertChannel(tx, orgId, {
      type,
      name,
      sealed_url,
      host,
      app_id: app,
      kinds: [...new Set(kinds)],
      enabled,
    });
    const channel = await requireChannel(tx, orgId, id);
    await recordEvents(tx, orgId, [
      { type: 'notification_channel.created', ...envelopeOf(channel, cause), payload: payloadOf(channel) },
    ]);
    return channel;
  });
}

/** Changes a channel. Missing fields stay. */
export async function changeChannel(
  { db, secrets, allowLoopback }: ChannelTools,
  principal: Principal,
  cause: RequestCause,
  id: string,
  { name, url, app, kinds, enabled }: Partial<ChannelInput>,
): Promise<Channel> {
  requireMayRead(principal);
  const { orgId } = principal;
  const host = url === undefined ? undefined : hostOf(url, allowLoopback());
  return transaction(db, async (tx) => {
    if (!(await queries.lockChannel(tx, orgId, id))) throw notFound('Channel');
    const before = await requireChannel(tx, orgId, id);
    if (app !== undefined && app !== null) await adminAppOf(tx, orgId, app);
    await queries.updateChannel(tx, orgId, id, {
      name: name ?? before.name,
      app_id: app === undefined ? (before.app?.external_uuid ?? null) : app,
      kinds: kinds === undefined ? before.kinds : [...new Set(kinds)],
      enabled: enabled ?? before.enabled,
    });
    if (url !== undefined && host !== undefined) {
      const sealed = await secrets.seal(tx, orgId, PURPOSE, Buffer.from(url));
      await queries.updateAddress(tx, orgId, id, sealed, host);
    }
    const after = await requireChannel(tx, orgId, id);
    const changes = changedFields(before, after, ['name', 'app', 'kinds', 'enabled', 'host']);
    if (url !== undefined) changes.push({ field: 'url', from: null, to: null });
    if (changes.length > 0) {
      await recordEvents(tx, orgId, [
        {
          type: 'notification_channel.updated',
          ...envelopeOf(after, cause),
          payload: { ...payloadOf(after), changes },
        },
      ]);
    }
    return after;
  });
}

/** Deletes a channel. Messages that are still waiting for it are not sent. */
export async function deleteChannel(
  db: Db,
  { orgId }: Principal,
  cause: RequestCause,
  id: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const channel = await requireChannel(tx, orgId, id);
    if (!(await queries.deleteChannel(tx, orgId, id))) throw notFound('Channel');
    await recordEvents(tx, orgId, [
      { type: 'notification_channel.deleted', ...envelopeOf(channel, cause), payload: payloadOf(channel) },
    ]);
  });
}

/** Posts a test message at once. */
export async function testChannel(
  tools: ChannelTools,
  { orgId }: Principal,
  id: string,
): Promise<{ delivered: boolean; reason: string | null }> {
  const channel = await requireChannel(tools.db, orgId, id);
  const outcome = await postTo(tools, orgId, channel, [
    {
      title: 'This is a test',
      body: `Gatehouse can post notifications to the channel "${channel.name}".`,
      link: null,
    },
  ]);
  return { delivered: outcome.ok, reason: outcome.ok ? null : outcome.reason };
}

/** Posts messages to a channel, as one. */
export async function postTo(
  { db, secrets, allowLoopback }: ChannelTools,
  orgId: string,
  { external_uuid: id, type }: Pick<Channel, 'external_uuid' | 'type'>,
  messages: Parameters<typeof post>[1],
): Promise<Outcome> {
  const sealed = await queries.sealedUrl(db, orgId, id);
  if (sealed === undefined) return { ok: false, reason: 'The channel was deleted.', final: true };
  const url = (await secrets.open(db, orgId, PURPOSE, sealed)).toString();
  return post({ type, url, allowLoopback: allowLoopback() }, messages);
}

/** Throws 403 if the caller's key may not read what a channel gets. */
function requireMayRead({ scopes }: Principal): void {
  if (!scopes.has('read') || !scopes.has('events'))
    throw forbidden(
      'A channel gets what happens in apps: creating or changing one requires a key with the scopes read and events, too.',
    );
}

/** Returns the host of an address. Throws 400 if requests to the address are not allowed. */
function hostOf(address: string, allowLoopback: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isAllowedAddress(url, allowLoopback))
    throw invalid('Use an https address, such as the one that Slack or Microsoft Teams shows (url).');
  if (url.username !== '' || url.password !== '')
    throw invalid('The address must not contain a username or a password (url).');
  return url.hostname;
}

const envelopeOf = ({ external_uuid }: Channel, { actor, source }: RequestCause) => ({
  actor,
  subject: { type: 'system' as const, uuid: external_uuid },
  source,
});

const payloadOf = ({ external_uuid, type, name, host, app, kinds }: Channel) => ({
  channel_id: external_uuid,
  name,
  kind: type,
  host,
  app_id: app?.external_uuid ?? null,
  kinds: [...kinds] as string[],
});
