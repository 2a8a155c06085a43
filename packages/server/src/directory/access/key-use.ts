import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type Db, type OrgDb, type OrgTx, transaction, within } from '#kit/database.ts';
import { canonicalIp } from '#kit/ip.ts';
import { openBatcher } from '#log/events/batch.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { claimKeyUses, type KeyTime, lockKeys, updateLastUsed } from './queries/key-use.ts';

/** A request that an API key has authenticated. */
export interface KeyUse {
  orgId: string;
  keyId: string;
  ip: string;
  userAgent: string | undefined;
}

export interface KeyUseLog {
  /** Notes a use. Never waits, and sends no query for a client that this process has seen within the hour. */
  note(use: KeyUse): void;
  /** Writes all pending uses. Call it on shutdown. */
  close(): Promise<void>;
}

interface TimedUse extends KeyUse {
  client: string;
  at: Date;
}

const HOUR_MS = 3_600_000;
const REMEMBERED_CLIENTS = 10_000;
/** How far `last_used_at` of a key in constant use may lag behind. */
const LAST_USED_EVERY_MS = 60_000;
const LONGEST_USER_AGENT = 512;

/**
 * Records `api_key.used` when a key is first used from an IP and user agent, and again after an hour (D37). The
 * process remembers the clients it has seen. The database decides, so that other nodes and restarts do not record a
 * use twice.
 */
export function openKeyUseLog(db: Db, logger: Pick<Logger, 'error'>): KeyUseLog {
  const seen = new LRUCache<string, true>({ max: REMEMBERED_CLIENTS, ttl: HOUR_MS });
  const lastUsed = new Map<string, KeyTime & { orgId: string }>();
  const batcher = openBatcher<TimedUse>({
    logger,
    write: (orgId, uses) => recordUses(within(db, orgId), uses),
  });

  const writeLastUsed = async () => {
    const byOrganization = Map.groupBy(lastUsed.values(), ({ orgId }) => orgId);
    lastUsed.clear();
    for (const [orgId, uses] of byOrganization)
      await transaction(within(db, orgId), (tx) => noteLastUsed(tx, uses));
  };
  const timer = setInterval(() => {
    writeLastUsed().catch((error: unknown) => {
      logger.error({ err: error }, 'Could not write when API keys were last used');
    });
  }, LAST_USED_EVERY_MS);
  timer.unref();

  return {
    note(use) {
      const at = new Date();
      lastUsed.set(use.keyId, { orgId: use.orgId, keyId: use.keyId, at });
      const client = clientOf(use);
      const name = `${use.keyId} ${client}`;
      if (seen.get(name)) return;
      seen.set(name, true);
      batcher.add(use.orgId, { ...use, client, at });
    },
    async close() {
      clearInterval(timer);
      await batcher.flush();
      await writeLastUsed();
    },
  };
}

async function noteLastUsed(tx: OrgTx, uses: KeyTime[]): Promise<void> {
  await lockKeys(
    tx,
    uses.map(({ keyId }) => keyId),
  );
  await updateLastUsed(tx, uses);
}

/** Records an event for each use that no node has recorded within the hour. */
async function recordUses(db: OrgDb, uses: TimedUse[]): Promise<void> {
  await transaction(db, async (tx) => {
    await noteLastUsed(tx, uses);
    const claimed = await claimKeyUses(tx, uses);
    await recordEvents(
      tx,
      claimed.flatMap(({ index, ...key }) => {
        const use = uses[index];
        return use === undefined ? [] : [keyUsed(use, key)];
      }),
    );
  });
}

const keyUsed = (
  { keyId, ip, userAgent, at }: TimedUse,
  { name, scopes, user_id }: { name: string; scopes: string[]; user_id: string },
): NewEvent => ({
  type: 'api_key.used',
  actor: { type: 'user', uuid: user_id, ip, user_agent: userAgent },
  subject: { type: 'platform_user', uuid: user_id },
  source: { type: 'api', uuid: keyId },
  payload: { api_key_id: keyId, name, scopes },
  occurredAt: at,
});

const clientOf = ({ ip, userAgent }: KeyUse) =>
  createHash('sha256')
    .update(`${canonicalIp(ip)}\n${userAgent?.slice(0, LONGEST_USER_AGENT) ?? ''}`)
    .digest('base64url');
