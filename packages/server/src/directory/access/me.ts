import { notFound } from '#kit/errors.ts';
import { type Call, type Principal, SCOPES } from '#kit/identity.ts';
import { findMe, type Me } from './queries/me.ts';

type OfPerson = 'has_password' | 'second_factor' | 'has_reports';

/** Returns the calling person. An app-scoped key does not learn how the person signs in, and who reports to them. */
export async function describeCaller(call: Call): Promise<Omit<Me, OfPerson> & Partial<Pick<Me, OfPerson>>> {
  const me = await findMe(call, call.principal.userId);
  if (me === undefined) throw notFound('Person');
  if (call.principal.apps === 'all') return me;
  const { has_password: _, second_factor: __, has_reports: ___, ...known } = me;
  return known;
}

/** Returns the calling key, its scopes, and its apps (null: all). All are null for a session. */
export function reachOf({ keyId, scopes, apps }: Principal) {
  return {
    api_key: keyId,
    scopes: keyId === null ? null : SCOPES.filter((scope) => scopes.has(scope)),
    apps: apps === 'all' ? null : [...apps],
  };
}
