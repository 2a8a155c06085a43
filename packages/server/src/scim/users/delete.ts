import { findOrganization } from '../../access/organization.ts';
import { findSource, writeFromDirectory } from '../../people/directory.ts';
import { deletePerson } from '../../people/people.ts';
import { draftChange } from '../../people/person.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Call, requireVersion } from '../call.ts';
import { existingUser } from './get.ts';
import { versionOf } from './resource.ts';
import { profileOf } from './write.ts';

/**
 * Deletes a user for the client: deactivates the person, or deletes them for good if the organization says so and no
 * history names them. For SCIM they no longer exist.
 */
export async function deleteUser(call: Call, id: string): Promise<void> {
  const { db, principal, cause, hooks } = call;
  const { orgId } = principal;
  await writeFromDirectory(db, principal, cause, hooks, async (tx) => {
    const row = await existingUser(tx, orgId, id);
    requireVersion(call, versionOf(row));
    const source = await findSource(tx, orgId, id);
    return {
      draft: draftChange(profileOf(row), { status: 'deactivated' }),
      source: {
        external_id: null,
        owned: source?.owned ?? [],
        extra: source?.extra ?? {},
        deleted: true,
      },
      reason: 'Deleted by the identity provider',
    };
  });
  const { scim_deletes: forGood } = await findOrganization(db, orgId);
  if (!forGood) return;
  await deletePerson(db, principal, cause, hooks, id).catch((error: unknown) => {
    const isKept = error instanceof DomainError && (error.code === 'conflict' || error.code === 'not_found');
    if (!isKept) throw error;
  });
}
