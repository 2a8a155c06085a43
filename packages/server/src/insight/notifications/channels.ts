import { adminAppOf } from '#inventory/apps/admin.ts';
import { type Db, type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type Principal, type RequestCause, requireStepUp, takeTurnsIn } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { isAllowedAddress } from '#kit/net/outbound.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { changedFields } from '#log/events/changes.ts';
import { recordEvents } from '#log/events/record.ts';
import { post } from './chat/post.ts';
import type { Outcome } from './outcome.ts';
import * as queries from './queries/channels.ts';
import type { Channel, ChannelInput } from './schemas.ts';
import { notificationRefusals } from './sentences.ts';

export interface ChannelTools {
  db: Db;
  secrets: Secrets;
  /** Whether channels may be on this machine, for development. */
  allowLoopback: () => boolean;
}

const MOST_CHANNELS = 100;
const PURPOSE = 'notification_channel.sealed_url';

export const listChannels = (db: OrgDb, page: Page): Promise<Slice<Channel>> =>
  queries.listChannels(db, page);

/** Returns a channel. Throws 404 if the organization has none with this id. */
export async function requireChannel(db: OrgDb, id: string): Promise<Channel> {
  const channel = isUuid(id) ? await queries.findChannel(db, id) : undefined;
  if (channel === undefined) throw notFound('Channel');
  return channel;
}

/** Adds an incoming webhook of Slack or Microsoft Teams. Throws 400 for an unsafe address, and 404 for an unknown app. */
export async function createChannel(
  { secrets, allowLoopback }: ChannelTools,
  call: Call,
  {
    type,
    name,
    url,
    app = null,
    kinds,
    show_reasons = false,
    enabled = true,
  }: ChannelInput & { type: 'slack' | 'teams' },
): Promise<Channel> {
  requireMayRead(call.principal);
  const host = hostOf(url, allowLoopback());
  return transaction(call, async (tx) => {
    if (app !== null) await adminAppOf(tx, app);
    await takeTurnsIn(tx);
    if ((await queries.countChannels(tx)) >= MOST_CHANNELS)
      throw notificationRefusals.too_many_channels({ most: MOST_CHANNELS });
    const sealed_url = await secrets.seal(tx, PURPOSE, Buffer.from(url));
    const id = await queries.insertChannel(tx, {
      type,
      name,
      sealed_url,
      host,
      app_id: app,
      kinds: [...new Set(kinds)],
      show_reasons,
      enabled,
    });
    const channel = await requireChannel(tx, id);
    await recordEvents(tx, [
      {
        type: 'notification_channel.created',
        ...envelopeOf(channel, call.cause),
        payload: payloadOf(channel),
      },
    ]);
    return channel;
  });
}

export const channelVersion = ({
  name,
  app,
  kinds,
  show_reasons,
  enabled,
  address_version,
}: Channel): string =>
  versionOf({ name, app: app?.external_uuid, kinds, show_reasons, enabled, address_version });

/** Changes a channel, if `ifMatch` names its version. Missing fields stay. */
export async function changeChannel(
  { secrets, allowLoopback }: ChannelTools,
  call: Call,
  id: string,
  { url, ...fields }: Partial<ChannelInput>,
  ifMatch: IfMatch = null,
): Promise<Channel> {
  requireMayRead(call.principal);
  if (url !== undefined) requireStepUp(call.principal);
  const host = url === undefined ? undefined : hostOf(url, allowLoopback());
  return transaction(call, async (tx) => {
    if (!(await queries.lockChannel(tx, id))) throw notFound('Channel');
    const before = await requireChannel(tx, id);
    requireVersion(ifMatch, channelVersion(before));
    const { name, app, kinds, show_reasons, enabled } = {
      ...before,
      app: before.app?.external_uuid ?? null,
      ...fields,
    };
    if (show_reasons && !before.show_reasons) requireStepUp(call.principal);
    if (fields.app) await adminAppOf(tx, fields.app);
    await queries.updateChannel(tx, id, {
      name,
      app_id: app,
      kinds: [...new Set(kinds)],
      show_reasons,
      enabled,
    });
    if (url !== undefined && host !== undefined) {
      const sealed = await secrets.seal(tx, PURPOSE, Buffer.from(url));
      await queries.updateAddress(tx, id, sealed, host);
    }
    const after = await requireChannel(tx, id);
    const changes = changedFields(before, after, ['name', 'app', 'kinds', 'show_reasons', 'enabled', 'host']);
    if (url !== undefined) changes.push({ field: 'url', from: null, to: null });
    if (changes.length > 0) {
      await recordEvents(tx, [
        {
          type: 'notification_channel.updated',
          ...envelopeOf(after, call.cause),
          payload: { ...payloadOf(after), changes },
        },
      ]);
    }
    return after;
  });
}

/** Deletes a channel. Messages that are still waiting for it are not sent. */
export async function deleteChannel(call: Call, id: string): Promise<void> {
  await transaction(call, async (tx) => {
    const channel = await requireChannel(tx, id);
    if (!(await queries.deleteChannel(tx, id))) throw notFound('Channel');
    await recordEvents(tx, [
      {
        type: 'notification_channel.deleted',
        ...envelopeOf(channel, call.cause),
        payload: payloadOf(channel),
      },
    ]);
  });
}

/** Posts a test message immediately. */
export async function testChannel(
  tools: ChannelTools,
  call: Call,
  id: string,
): Promise<{ delivered: boolean; reason: string | null }> {
  const channel = await requireChannel(call, id);
  const outcome = await postTo(tools, call, channel, [
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
  { secrets, allowLoopback }: ChannelTools,
  org: OrgDb,
  { external_uuid: id, type }: Pick<Channel, 'external_uuid' | 'type'>,
  messages: Parameters<typeof post>[1],
): Promise<Outcome> {
  const sealed = await queries.sealedUrl(org, id);
  if (sealed === undefined) return { ok: false, reason: 'The channel was deleted.', final: true };
  const url = (await secrets.open(org, PURPOSE, sealed)).toString();
  return post({ type, url, allowLoopback: allowLoopback() }, messages);
}

/** Throws 403 if the caller's key may not read what a channel gets. */
function requireMayRead({ scopes }: Principal): void {
  if (!scopes.has('read') || !scopes.has('events')) throw notificationRefusals.channel_needs_scopes();
}

/** Returns the host of an address. Throws 400 if requests to the address are not allowed. */
function hostOf(address: string, allowLoopback: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isAllowedAddress(url, allowLoopback))
    throw notificationRefusals.channel_address_not_https();
  if (url.username !== '' || url.password !== '') throw notificationRefusals.channel_address_with_password();
  return url.hostname;
}

const envelopeOf = ({ external_uuid }: Channel, { actor, source }: RequestCause) => ({
  actor,
  subject: { type: 'system' as const, uuid: external_uuid },
  source,
});

const payloadOf = ({ external_uuid, type, name, host, app, kinds, show_reasons }: Channel) => ({
  channel_id: external_uuid,
  name,
  kind: type,
  host,
  app_id: app?.external_uuid ?? null,
  kinds: [...kinds] as string[],
  show_reasons,
});
