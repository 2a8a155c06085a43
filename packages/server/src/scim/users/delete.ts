import { findOrganization } from '../../access/organization.ts';
import {
  type DirectoryWrite,
  deleteFromDirectory,
  findSource,
  writeFromDirectory,
} from '../../people/directory.ts';
import { draftChange } from '../../people/person.ts';
import type { Tx } from '../../platform/database/open.ts';
import { type Call, requireVersion } from '../call.ts';
import { existingUser } from './get.ts';
import { versionOf } from './resource.ts';
import { profileOf } from './write.ts';

/**
 * Deletes a user for the client: deactivates the person, or deletes them for good if the organization says so and no
 * history names them. In both cases, they no longer exist for SCIM.
 */
export async function deleteUser(call: Call, id: string): Promise<void> {
  const { db, principal, cause, hooks } = call;
  const { scim_deletes: forGood } = await findOrganization(db, principal.orgId);
  const remove = forGood ? deleteFromDirectory : writeFromDirectory;
  await remove(db, principal, cause, hooks, (tx) => deletionOf(tx, call, id));
}

async function deletionOf(tx: Tx, call: Call, id: string): Promise<DirectoryWrite> {
  const { orgId } = call.principal;
  const row = await existingUser(tx, orgId, id);
  requireVersion(call, versionOf(row));
  const source = await findSource(tx, orgId, id);
  return {
    draft: draftChange(profileOf(row), { status: 'deactivated' }),
    source: { external_id: null, owned: source?.owned ?? [], extra: source?.extra ?? {}, deleted: true },
    reason: 'Deleted by the identity provider',
  };
}
