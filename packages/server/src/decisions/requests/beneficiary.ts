import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { type Beneficiary, findBeneficiary } from './queries/catalog.ts';
import { requestRefusals } from './sentences.ts';

/**
 * Returns a person for whom the caller may request access, and whose access they may read for that: themselves, anybody for
 * administrators and auditors, and direct reports for members. Throws 404 for an unknown person, and 403 if a member names anybody
 * else, whether they exist or not.
 */
export async function requireBeneficiary(call: Call, user: string | null): Promise<Beneficiary> {
  const id = user?.toLowerCase() ?? call.principal.userId;
  const person = isUuid(id) ? await findBeneficiary(call, id) : undefined;
  if (
    call.principal.role === 'member' &&
    id !== call.principal.userId &&
    person?.manager_id !== call.principal.userId
  )
    throw requestRefusals.request_for_reports_only();
  if (person === undefined) throw notFound('Person');
  return person;
}
