import type { FastifyRequest } from 'fastify';
import { type Db, within } from '#kit/database.ts';
import { refusedAt } from '#kit/errors.ts';
import { findIdentity } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { sessionSentences, signInRefusals } from '../sentences.ts';

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
  if (typeof named !== 'string' || !isUuid(named)) throw signInRefusals.bad_page_person();
  if (named.toLowerCase() === userId) return;
  const person = await findIdentity(within(db, orgId), userId);
  const name = [person?.first_name, person?.last_name].filter(Boolean).join(' ') || person?.email;
  const why = sessionSentences.page_of_another({ name: name ?? '' });
  throw refusedAt('conflict', '', 'signed_in_as_another', why);
}
