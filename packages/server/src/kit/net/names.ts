import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 5000;

/**
 * Returns the addresses of a name. Throws ENOTFOUND if it has none, and EAI_AGAIN if its name servers do not reply in time.
 *
 * The system's resolver holds a thread while it waits, of which the process has few. Owners of slow name servers could hold
 * them all, so that it looks up the operator's names only: those in /etc/hosts, and those without a dot. The names of others
 * go to the name servers of the system, without a thread.
 */
export async function resolveName(name: string, deadlineMs = DEADLINE_MS): Promise<LookupAddress[]> {
  const ended = new AbortController();
  const deadline = sleep(deadlineMs, undefined, { signal: ended.signal }).then(() => {
    throw unresolved(name, 'EAI_AGAIN');
  });
  try {
    return await Promise.race([addressesOf(name), deadline]);
  } finally {
    ended.abort();
  }
}

const addressesOf = async (name: string) =>
  isIP(name) !== 0 || /^[^.]*\.?$/.test(name) || (await isInHostsFile(name))
    ? dns.lookup(name, { all: true })
    : askNameServers(name);

async function isInHostsFile(name: string): Promise<boolean> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text
    .toLowerCase()
    .split('\n')
    .some((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1).includes(name.toLowerCase()));
}

async function askNameServers(name: string): Promise<LookupAddress[]> {
  const replies = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  const found = replies.flatMap((reply, i) =>
    reply.status === 'fulfilled' ? reply.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
  );
  if (found.length > 0) return found;
  const isMissing = replies.every(
    (reply) => reply.status === 'rejected' && ['ENOTFOUND', 'ENODATA'].includes(reply.reason.code),
  );
  throw unresolved(name, isMissing ? 'ENOTFOUND' : 'EAI_AGAIN');
}

const unresolved = (name: string, code: string) =>
  Object.assign(new Error(`The name ${name} could not be resolved (${code}).`), { code });
