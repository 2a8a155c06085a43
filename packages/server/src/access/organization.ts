import { isDeepStrictEqual } from 'node:util';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import { type Principal, ROLES } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { forbidden } from '../platform/errors.ts';
import * as queries from './organization-queries.ts';
import { requireFreshSignIn } from './sign-in/freshness.ts';

export { findOrganization } from './organization-queries.ts';

/** Changes the organization's settings. Throws 403 for settings that the caller cannot change. */
export async function changeOrganization(
  db: Db,
  principal: Principal,
  cause: RequestCause,
  wanted: Partial<queries.OrganizationSettings>,
): Promise<queries.OrganizationView> {
  const { orgId } = principal;
  if (wanted.second_factor_roles !== undefined) await requireMayChangeFactors(db, principal);
  return transaction(db, async (tx) => {
    const before = await queries.lockSettings(tx, orgId);
    const after = {
      ...before,
      name: wanted.name ?? before.name,
      second_factor_roles: inOrder(wanted.second_factor_roles ?? before.second_factor_roles),
      scim_deletes: wanted.scim_deletes ?? before.scim_deletes,
    };
    const changes = (['name', 'second_factor_roles', 'scim_deletes'] as const)
      .map((field) => ({ field, from: before[field], to: after[field] }))
      .filter(({ from, to }) => !isDeepStrictEqual(from, to));
    if (changes.length === 0) return before;
    await queries.updateOrganization(tx, orgId, after);
    await recordEvents(tx, orgId, [
      {
        type: 'organization.updated',
        ...cause,
        subject: { type: 'system', uuid: orgId },
        payload: { organization_id: orgId, slug: after.slug, name: after.name, changes },
      },
    ]);
    return after;
  });
}

/** Only an owner who has recently signed in decides who needs a second factor: a stolen key must not switch it off. */
async function requireMayChangeFactors(db: Db, principal: Principal): Promise<void> {
  if (principal.role !== 'owner') throw forbidden('Only an owner can change second_factor_roles.');
  if (principal.sessionId === null)
    throw forbidden('API keys cannot change second_factor_roles. Sign in to the console instead.');
  await requireFreshSignIn(db, principal);
}

const inOrder = (roles: readonly string[]) => ROLES.filter((role) => roles.includes(role));
