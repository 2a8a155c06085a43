import { randomUUIDv7 } from 'node:crypto';
import { writeFromDirectory } from '../../people/directory.ts';
import { draftNew } from '../../people/person.ts';
import type { Call } from '../call.ts';
import { findAlike } from '../queries.ts';
import { type Resource, readResource } from '../resource.ts';
import { User } from '../schema.ts';
import { alreadyExists, isInTheWay } from './alike.ts';
import { externalIdOf, userNameOf, workEmailOf } from './fields.ts';
import { getUser } from './get.ts';
import { changeOf, sourceOf, writeOf } from './write.ts';

/**
 * Creates a user. Reactivates the person with the same email if the client deleted them, and adopts them if no provider
 * manages them yet. A person with only the same username or externalId is never reused, since both can pass to somebody
 * else. Throws 409 `uniqueness`, with the address of the existing user, for any other person with the same email, username
 * or externalId.
 */
export async function createUser(call: Call, body: unknown): Promise<Resource> {
  const { resource, named } = readResource(User, body);
  const id = await writeFromDirectory(call, async (tx) => {
    const username = userNameOf(resource);
    const email = workEmailOf(resource).value as string;
    const externalId = externalIdOf(resource);
    const alike = await findAlike(tx, { email, username, externalId });
    const mine = alike.find(
      (one) => one.same_email && one.merged_into === null && (one.deleted || one.owned === null),
    );
    const other = alike.find((one) => one !== mine && isInTheWay(one));
    if (other !== undefined) throw alreadyExists(call, other);
    if (mine === undefined) {
      const change = changeOf(resource, named, undefined);
      return {
        draft: draftNew(randomUUIDv7(), email, change),
        source: sourceOf(resource, named, undefined),
        reason: null,
      };
    }
    named.add('active');
    return writeOf({ ...resource, active: resource.active ?? true }, named, mine);
  });
  return getUser(call, id);
}
