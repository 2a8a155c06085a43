import { taken } from '../../../kit/errors.ts';
import { writeFromDirectory } from '../../people/directory.ts';
import { type Call, requireVersion } from '../call.ts';
import { applyPatch, readPatch, readResource } from '../patch.ts';
import type { UserRow } from '../queries/scim.ts';
import type { Named, Resource } from '../resource.ts';
import { User } from '../schema.ts';
import { requireUnique } from './alike.ts';
import { attributeOf, externalIdOf, userNameOf, workEmailOf } from './fields.ts';
import { existingUser, getUser } from './get.ts';
import { userResource, versionOf } from './resource.ts';
import { writeOf } from './write.ts';

/** Replaces the attributes of a user that the client may write. Clears owned attributes that are missing in the body. */
export async function replaceUser(call: Call, id: string, body: unknown): Promise<Resource> {
  const { resource, named } = readResource(User, body);
  await change(call, id, (row) => {
    for (const field of row.owned ?? []) named.add(attributeOf(field));
    if (resource.active === undefined) named.delete('active');
    userNameOf(resource);
    workEmailOf(resource);
    return { resource, named };
  });
  return getUser(call, id);
}

/** Applies a PATCH (RFC 7644, 3.5.2). */
export async function patchUser(call: Call, id: string, body: unknown): Promise<Resource> {
  const operations = readPatch(User, body);
  await change(call, id, (row) =>
    applyPatch(User, structuredClone(userResource(row, call.base)), operations),
  );
  return getUser(call, id);
}

async function change(call: Call, id: string, decide: (row: UserRow) => Named): Promise<void> {
  await writeFromDirectory(call, async (tx) => {
    const row = await existingUser(tx, id);
    requireVersion(call, versionOf(row));
    const { resource, named } = decide(row);
    await requireUnique(tx.db, call, row, resource, named);
    requireSamePerson(row, resource);
    const write = writeOf(resource, named, row);
    const isBack = row.status !== 'active' && write.draft.after.status === 'active';
    // No provider knew the person, so nothing but the email says who comes back.
    return { ...write, returnsByEmail: isBack && row.owned === null };
  });
}

/** Throws 409 if somebody who left gets another externalId, and would be somebody else with their access (D63). */
function requireSamePerson({ status, external_id }: UserRow, resource: Resource): void {
  const given = externalIdOf(resource);
  if (status === 'active' || external_id === null || given === null || given === external_id) return;
  throw taken(
    'This user is inactive and has another externalId, so this is somebody else. Create a user instead, or reactivate this one first.',
  );
}
