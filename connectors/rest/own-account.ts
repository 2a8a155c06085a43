import type { CompiledAccount } from './compiled.ts';
import { kindOf } from './expression.ts';
import { RequestError } from './failures.ts';
import { afterReply, outgoing, read, type System } from './system.ts';

const known = new WeakMap<System, Promise<string | null>>();

/**
 * Returns the id of the account with which the connector signs in, or null if the definition or the application does not say it: a
 * token may belong to no account, and may be refused for this request only. Asks once for each connection.
 */
export function ownAccount(system: System, { slug }: CompiledAccount): Promise<string | null> {
  const { whoAmI } = system.compiled;
  if (whoAmI?.accounts !== slug) return Promise.resolve(null);
  const earlier = known.get(system);
  if (earlier !== undefined) return earlier;
  const id = ask(system, whoAmI);
  known.set(system, id);
  id.catch(() => known.delete(system));
  return id;
}

async function ask(
  system: System,
  { request, id }: NonNullable<System['compiled']['whoAmI']>,
): Promise<string | null> {
  const reply = await read(system, outgoing(system, request, {}), [400, 403, 404], 30);
  if (reply.status >= 400) {
    system.log.warn(
      `the application does not say to whom the credentials belong (${request.method} ${reply.url.pathname} returned ${reply.status}), so their account is not marked as the connector's own`,
    );
    return null;
  }
  const found = id(afterReply(system, {}, reply));
  if (found === null || found === undefined || found === '') return null;
  if (typeof found === 'object' || typeof found === 'boolean')
    throw new RequestError(`who_am_i.id is ${kindOf(found)}, but must be an id`);
  return String(found);
}

/** Compares ids. Those that are names or GUIDs differ in case in some applications. */
export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
