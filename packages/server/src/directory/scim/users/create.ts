import { randomUUIDv7 } from 'node:crypto';
import { writeFromDirectory } from '../../people/directory.ts';
import { draftNew } from '../../people/person.ts';
import type { Call } from '../call.ts';
import { readResource } from '../patch.ts';
import { type Alike, findAlike } from '../queries/scim.ts';
import type { Resource } from '../resource.ts';
import { User } from '../schema.ts';
import { alreadyExists, isInTheWay } from './alike.ts';
import { externalIdOf, userNameOf, workEmailOf } from './fields.ts';
import { getUser } from './get.ts';
import { changeOf, profileOf, sourceOf, writeOf } from './write.ts';

/**
 * Creates a user, or brings back the person who is the same by D63: the one whom the client deleted with this externalId, or
 * an active person with this email whom no provider manages yet. Without an externalId, a deleted or deactivated person with this
 * email comes back too, and loses every way to sign in, since an email can pass to somebody else. With another externalId, such a
 * person is succeeded: a new person gets the email and nothing else. Throws 409 `uniqueness`, with the address of the existing
 * user, for any other person with the same email, username or externalId.
 */
export async function createUser(call: Call, body: unknown): Promise<Resource> {
  const { resource, named } = readResource(User, body);
  const id = await writeFromDirectory(call, async (tx) => {
    const username = userNameOf(resource);
    const email = workEmailOf(resource).value as string;
    const externalId = externalIdOf(resource);
    const alike = await findAlike(tx, { email, username, externalId });
    const mine =
      alike.find((one) => one.deleted && one.same_id === true && one.merged_into === null) ??
      alike.find(
        (one) => isFree(one) && (isAdoptable(one) || (one.status !== 'active' && externalId === null)),
      );
    const former = alike.find((one) => one !== mine && isFree(one) && one.status !== 'active');
    const other = alike.find((one) => one !== mine && one !== former && isInTheWay(one));
    if (other !== undefined) throw alreadyExists(call, other);
    const succeeds = former && { succeeds: profileOf(former) };
    if (mine === undefined) {
      const change = changeOf(resource, named, undefined);
      return {
        draft: draftNew(randomUUIDv7(), email, change),
        source: sourceOf(resource, named, undefined),
        reason: null,
        ...succeeds,
      };
    }
    named.add('active');
    const write = writeOf({ ...resource, active: resource.active ?? true }, named, mine);
    // The kept id stays if none is given.
    write.source.external_id ??= mine.external_id;
    return { ...write, ...succeeds, returnsByEmail: mine.status !== 'active' && mine.same_id !== true };
  });
  return getUser(call, id);
}

/** Whether no provider shows the person with this email to clients. */
const isFree = ({ same_email, merged_into, deleted, owned }: Alike) =>
  same_email && merged_into === null && (deleted || owned === null);

const isAdoptable = ({ status, same_id }: Alike) => status === 'active' && same_id !== false;
