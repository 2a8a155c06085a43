import { LRUCache } from 'lru-cache';
import { type Db, within } from '#kit/database.ts';
import { SYSTEM } from '#kit/identity.ts';
import { canonicalIp, networkOf } from '#kit/ip.ts';
import { recordAlone } from '#log/events/record.ts';
import type { Visit } from '../visit/visit.ts';

const MINUTE_MS = 60_000;
const REMEMBERED = 10_000;
/** Strangers can choose their addresses, so that a limit for each address alone would not bound the log. */
const MOST_IN_MINUTE = 30;

interface Unsolicited {
  method: 'oidc' | 'saml';
  provider: string;
  /** Gatehouse requested nothing, or it does not know the request: it is finished, has expired or belongs to another browser. */
  reason: 'not_requested' | 'unknown_request';
  /** Whether the provider has signed the response for us and it is valid now. A response of OpenID Connect has no signature. */
  verified: boolean;
}

export type NoteUnsolicited = (
  visit: Visit,
  about: Omit<Unsolicited, 'verified'>,
  verify: () => Promise<boolean>,
) => Promise<void>;

/**
 * Returns a function that records `session.login.unsolicited`: at most once a minute for each provider and address, and 30 times for
 * an organization. Beyond that, it verifies nothing. The limit holds for each process.
 */
export function unsolicitedLog(db: Db): NoteUnsolicited {
  const noted = new LRUCache<string, true>({ max: REMEMBERED, ttl: MINUTE_MS });
  const counts = new LRUCache<string, { count: number }>({ max: REMEMBERED, ttl: MINUTE_MS });
  const isAdmitted = ({ organization: { id }, ip }: Visit, provider: string) => {
    const name = `${id} ${provider} ${networkOf(ip)}`;
    if (noted.has(name)) return false;
    noted.set(name, true);
    const minute = counts.get(id) ?? { count: 0 };
    if (minute.count === 0) counts.set(id, minute);
    return ++minute.count <= MOST_IN_MINUTE;
  };
  return async (visit, { method, provider, reason }, verify) => {
    if (!isAdmitted(visit, provider)) return;
    const { organization, ip, userAgent } = visit;
    await recordAlone(within(db, organization.id), [
      {
        type: 'session.login.unsolicited',
        actor: { ...SYSTEM, ip: canonicalIp(ip), user_agent: userAgent },
        subject: { type: 'system', uuid: organization.id },
        source: { type: 'user_action', uuid: null },
        payload: { provider_id: provider, method, reason, verified: await verify() },
      },
    ]);
  };
}
