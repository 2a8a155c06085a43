import { approversWaitedFor } from '../../decisions/requests/waiting.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { findAdministrators } from '../../kit/identity/person-facts.ts';
import type { Recipient } from './draft.ts';
import * as facts from './queries/lookups.ts';

export const toAll = (userIds: readonly (string | null | undefined)[]): Recipient[] =>
  [...new Set(userIds)].flatMap((userId) => (typeof userId === 'string' ? [{ userId }] : []));

/** The people who can decide a request now. Nobody, if it is decided. */
export const approversOf = (db: OrgDb, ticketId: string): Promise<Recipient[]> =>
  approversWaitedFor(db, ticketId);

/** The requester and the beneficiary of a request. */
export const concernedBy = ({ requester_id, user_id }: Record<string, unknown>): string[] =>
  [requester_id, user_id].filter((id) => typeof id === 'string');

export const administrators = async (db: OrgDb): Promise<Recipient[]> =>
  toAll((await findAdministrators(db)).map(({ id }) => id));

/** The owner of an app or, if they may not read what happens in it, the administrators. */
export async function ownerOrAdministrators(db: OrgDb, appId: string): Promise<Recipient[]> {
  const owner = await facts.readingOwnerOf(db, appId);
  return owner === undefined ? administrators(db) : toAll([owner]);
}

/** The key of the wait for a decision. The keys of reassignments begin with it. */
export const requestKey = ({ id, step }: { id: string; step: number }): string => `request:${id}:${step}`;
export const reviewKey = (cycleId: string): string => `review:${cycleId}`;
/** One per day, since an event is recorded for every item. */
export const movedKey = (cycleId: string, at: Date): string =>
  `${reviewKey(cycleId)}:${at.toISOString().slice(0, 10)}`;

/** The keys of ends name their times: another time is another end. */
export const accessEndKey = (ticketId: string, endsAt: Date): string =>
  `access-ends:${ticketId}:${endsAt.toISOString()}`;
export const keyExpiryKey = (keyId: string, expiresAt: Date): string =>
  `key-expires:${keyId}:${expiresAt.toISOString()}`;
export const certificateExpiryKey = (providerId: string, expiresAt: Date): string =>
  `certificate-expires:${providerId}:${expiresAt.toISOString()}`;

/** The key of a sign-in link names the event of its request, which has what its email needs. */
const LINK_KEY = 'sign_in_link:';
export const linkKey = (eventId: string): string => `${LINK_KEY}${eventId}`;
export const eventOfLink = (key: string): string => key.slice(LINK_KEY.length);

export const expiryOf = (expiresAt: unknown): string =>
  typeof expiresAt === 'string' ? `until ${expiresAt.slice(0, 10)}` : 'without an expiry date';
