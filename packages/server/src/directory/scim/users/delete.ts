import { findOrganization } from '#directory/access/organization-facts.ts';
import { type DirectoryWrite, deleteFromDirectory, writeFromDirectory } from '#directory/people/directory.ts';
import { findSource } from '#directory/people/facts.ts';
import { draftChange } from '#directory/people/person.ts';
import type { OrgTx } from '#kit/database.ts';
import { type Call, requireVersion } from '../call.ts';
import { existingUser } from './get.ts';
import { versionOf } from './resource.ts';
import { profileOf } from './write.ts';

/**
 * Deletes a user for the client: deactivates the person, or deletes them for good if the organization says so and no
 * history names them. In both cases, they no longer exist for SCIM.
 */
export async function deleteUser(call: Call, id: string): Promise<void> {
  const { scim_deletes: forGood } = await findOrganization(call);
  const remove = forGood ? deleteFromDirectory : writeFromDirectory;
  await remove(call, (tx) => deletionOf(tx, call, id));
}

async function deletionOf(tx: OrgTx, call: Call, id: string): Promise<DirectoryWrite> {
  const row = await existingUser(tx, id);
  requireVersion(call, versionOf(row));
  const source = await findSource(tx, id);
  return {
    draft: draftChange(profileOf(row), { status: 'deactivated' }),
    // The externalId stays, to tell whether somebody with the same email later is the same person (D63).
    source: {
      external_id: source?.external_id ?? row.released_id,
      owned: source?.owned ?? [],
      extra: { ...source?.extra, active: false },
      deleted: true,
      former_id: null,
    },
    ends: true,
    wasReleased: row.released_id !== null,
    reason: 'Deleted by the identity provider',
  };
}
