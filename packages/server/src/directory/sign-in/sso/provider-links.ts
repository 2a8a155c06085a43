import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, identityOf, type PersonIdentity, type RequestCause, SYSTEM } from '#kit/identity.ts';
import { canonicalIp } from '#kit/ip.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { requireMayManageSignIn, requireMayOversee } from '../sessions/permission.ts';
import { deleteSessions } from '../sessions/sessions.ts';
import { findByEmail } from '../visit/queries/people.ts';
import type { Visit } from '../visit/visit.ts';
import * as queries from './queries/provider-links.ts';

/**
 * The links between people and their accounts at sign-in providers. A person is linked at the first sign-in, by their email
 * address, and to one account of each provider. Another account with that address is somebody else until the link is removed (D63).
 */

export const listProviderLinks = (call: Call): Promise<queries.ProviderLink[]> =>
  queries.listLinks(call, call.principal.userId);

/** Returns a person's links to an administrator. Only owners may see and remove those of an owner. */
export async function listProviderLinksOf(
  call: Call,
  person: PersonIdentity,
): Promise<queries.ProviderLink[]> {
  requireMayOversee(call.principal, person);
  return queries.listLinks(call, person.id);
}

/** Removes one of the caller's own links, and ends their other sessions: one of them may be that of somebody else. */
export async function removeProviderLink(call: Call, linkId: string): Promise<void> {
  const { userId, sessionId } = call.principal;
  await remove(call, await identityOf(call, userId), linkId, (tx) =>
    deleteSessions(tx, userId, call.cause.actor, sessionId),
  );
}

/** Removes a person's link, and ends their sessions: one of them may be that of somebody else. */
export async function removeProviderLinkOf(
  call: Call,
  person: PersonIdentity,
  linkId: string,
): Promise<void> {
  await requireMayManageSignIn(call, person);
  await remove(call, person, linkId, (tx) => deleteSessions(tx, person.id, call.cause.actor));
}

async function remove(
  call: Call,
  person: PersonIdentity,
  linkId: string,
  also: (tx: OrgTx) => Promise<NewEvent[]>,
): Promise<void> {
  await transaction(call, async (tx) => {
    const link = await queries.deleteLink(tx, person.id, linkId);
    if (link === undefined) throw notFound('Provider link');
    await recordEvents(tx, [linkRemoved(call.cause, person, link), ...(await also(tx))]);
  });
}

/** The `provider_link.removed` event. */
export const linkRemoved = (
  { actor, source }: RequestCause,
  { id, email }: { id: string; email: string },
  { provider, name }: queries.ProviderLink,
): NewEvent => ({
  type: 'provider_link.removed',
  actor,
  subject: { type: 'platform_user', uuid: id },
  source,
  payload: { user_id: id, email, provider_id: provider, name, by_administrator: actor.uuid !== id },
});

/** Records that a provider's account was refused because the person with its address is linked to another one. */
export async function recordRefusedLink(
  db: OrgDb,
  { ip, userAgent }: Visit,
  { provider_id, name }: { provider_id: string; name: string },
  email: string,
): Promise<void> {
  const person = await findByEmail(db, email);
  if (person === undefined) return;
  await transaction(db, (tx) =>
    recordEvents(tx, [
      {
        type: 'provider_link.refused',
        actor: { ...SYSTEM, ip: canonicalIp(ip), user_agent: userAgent },
        subject: { type: 'platform_user', uuid: person.id },
        source: { type: 'user_action', uuid: null },
        payload: { user_id: person.id, email, provider_id, name },
      },
    ]),
  );
}
