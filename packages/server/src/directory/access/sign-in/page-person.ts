import type { FastifyRequest } from 'fastify';
import type { Db } from '../../../kit/database/open.ts';
import { within } from '../../../kit/database/organization.ts';
import { DomainError, invalid } from '../../../kit/errors.ts';
import { findIdentity } from '../../../kit/identity/person-facts.ts';
import { isUuid } from '../../../kit/ids.ts';

/** The header in which a page of the console names the person for whom it was drawn (D86). */
const HEADER = 'gatehouse-person';

/**
 * Throws 409 if the request of a session names another person than the one who is signed in: two tabs of a browser share a
 * cookie, and somebody else has signed in since the page was drawn. A request without the header is accepted, because the
 * header protects people from a mistake and proves nothing: programs that sign in have no page.
 */
export async function requirePageOfPerson(
  db: Db,
  { headers, principal: { orgId, userId } }: FastifyRequest,
): Promise<void> {
  const { [HEADER]: named } = headers;
  if (named === undefined) return;
  if (typeof named !== 'string' || !isUuid(named))
    throw invalid('Gatehouse-Person must be one UUID, the external_uuid of a person. Correct or omit it.');
  if (named.toLowerCase() === userId) return;
  const person = await findIdentity(within(db, orgId), userId);
  const name = [person?.first_name, person?.last_name].filter(Boolean).join(' ') || person?.email;
  const message = `You are signed in as ${name} now. This page was opened by somebody else, so nothing was changed. Reload the page, or sign in again as the person who opened it.`;
  throw new DomainError('conflict', message, {
    issues: [{ path: '', code: 'signed_in_as_another', message }],
  });
}
