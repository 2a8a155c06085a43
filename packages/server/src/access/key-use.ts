import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { openBatcher } from '../events/batch.ts';
import { canonicalIp } from '../events/ip.ts';
import { recordEvents } from '../events/record.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { claimKeyUses, touchKeys } from './key-use-queries.ts';

/** One request that a key has authenticated. */
export interface KeyUse {
  orgId: string;
  keyId: string;
  ip: string;
  userAgent: string | undefined;
}

export interface KeyUseLog {
  /** Takes note of a use. Never waits, and asks the database for nothing where the client is known. */
  note(use: KeyUse): void;
  /** Writes what is still held. For shutdown. */
  close(): Promise<void>;
}

interface TimedUse extends KeyUse {
  client: string;
  at: Date;
}

const AN_HOUR = 3_600_000;
const REMEMBERED_CLIENTS = 10_000;
/** `last_used_at` of a key in constant use is this old at most. */
const TOUCH_EVERY_MS = 60_000;
const LONGEST_USER_AGENT = 512;

/**
 * `api_key.used` (D37): at the first use of a key from an IP and user agent, and again after an hour of them. This
 * process remembers whom it has seen; the database decides, so that nodes and restarts do not repeat it.
 */
export function openKeyUseLog(db: Db, logger: Pick<Logger, 'error'>): KeyUseLog {
  const seen = new Map<string, number>();
  const touched = new Map<string, { orgId: string; at: Date }>();
  const batcher = openBatcher<TimedUse>({ logger, write: (orgId, uses) => recordUses(db, orgId, uses) });

  const touch = async () => {
    const held = [...touched].map(([keyId, { orgId, at }]) => ({ orgId, keyId, at }));
    touched.clear();
    if (held.length > 0) await touchKeys(db, held);
  };
  const timer = setInterval(() => {
    touch().catch((error: unknown) => logger.error({ err: error }, 'last_used_at could not be written'));
  }, TOUCH_EVERY_MS);
  timer.unref();

  return {
    note(use) {
      const at = new Date();
      touched.set(use.keyId, { orgId: use.orgId, at });
      const client = clientOf(use);
      const name = `${use.keyId} ${client}`;
      if ((seen.get(name) ?? 0) > at.getTime() - AN_HOUR) return;
      seen.delete(name);
      seen.set(name, at.getTime());
      if (seen.size > REMEMBERED_CLIENTS) seen.delete(seen.keys().next().value as string);
      batcher.add(use.orgId, { ...use, client, at });
    },
    async close() {
      clearInterval(timer);
      await batcher.flush();
      await touch();
    },
  };
}

/** Writes the events of those uses that no other node has reported within the hour. */
async function recordUses(db: Db, orgId: string, uses: TimedUse[]): Promise<void> {
  await transaction(db, async (tx) => {
    await touchKeys(tx, uses);
    const claimed = await claimKeyUses(tx, orgId, uses);
    await recordEvents(
      tx,
      orgId,
      claimed.flatMap(({ index, name, scopes, created_by }) => {
        const use = uses[index];
        if (use === undefined) return [];
        return [
          {
            type: 'api_key.used' as const,
            actor: { type: 'user' as const, uuid: created_by, ip: use.ip, user_agent: use.userAgent },
            subject: { type: 'platform_user' as const, uuid: created_by },
            source: { type: 'api' as const, uuid: use.keyId },
            payload: { api_key_id: use.keyId, name, scopes },
            occurredAt: use.at,
          },
        ];
      }),
    );
  });
}

const clientOf = ({ ip, userAgent }: KeyUse) =>
  createHash('sha256')
    .update(`${canonicalIp(ip)}\n${userAgent?.slice(0, LONGEST_USER_AGENT) ?? ''}`)
    .digest('base64url');
