import { randomUUIDv7 } from 'node:crypto';
import { writeFromDirectory } from '#directory/people/directory.ts';
import { draftNew } from '#directory/people/person.ts';
import type { Call } from '../call.ts';
import { noteLeft } from '../notes.ts';
import { readResource } from '../patch.ts';
import { type Alike, findAlike } from '../queries/scim.ts';
import type { Problem, Resource } from '../resource.ts';
import { User } from '../schema.ts';
import { alreadyExists, isInTheWay, requireUnique } from './alike.ts';
import { externalIdOf, userNameOf, workEmailOf } from './fields.ts';
import { getUser } from './get.ts';
import { userResource } from './resource.ts';
import { checkNames, isEnd, requireReadable, type Sent, sentOf } from './sent.ts';
import { changeOf, profileOf, sourceOf, writeOf } from './write.ts';

/**
 * Creates a user, or brings back the person who is the same by D63: the one whom the client deleted, or who was released, with this
 * externalId, or an active person with this email whom no provider manages yet. Without an externalId, a deleted or deactivated person with this
 * email comes back too, and loses every way to sign in, since an email can pass to somebody else. With another externalId, such a
 * person is succeeded: a new person gets the email and nothing else. Throws 409 `uniqueness`, with the address of the existing
 * user, for any other person with the same email, username or externalId.
 */
export async function createUser(call: Call, body: unknown): Promise<Resource> {
  const problems: Problem[] = [];
  const read = readResource(User, body, problems);
  requireReadable(problems, isEnd(read));
  let sent: Sent | undefined;
  const id = await writeFromDirectory(
    call,
    async (tx) => {
      // A user who is set inactive needs none.
      const username =
        isEnd(read) && !isReadable(() => userNameOf(read.resource)) ? '' : userNameOf(read.resource);
      const email = workEmailOf(read.resource).value as string;
      const externalId = externalIdOf(read.resource);
      const alike = await findAlike(tx, { email, username, externalId });
      const mine =
        alike.find(
          (one) =>
            one.deleted &&
            one.same_id === true &&
            one.merged_into === null &&
            (one.source_key === call.principal.keyId || one.same_email || one.same_username),
        ) ??
        releasedAmong(alike, externalId, call.principal.keyId) ??
        alike.find(
          (one) =>
            isFree(one) && (isAdoptable(one, externalId) || (one.status !== 'active' && externalId === null)),
        );
      const former = alike.find((one) => one !== mine && isFree(one) && one.status !== 'active');
      const other = alike.find((one) => one !== mine && one !== former && isInTheWay(one));
      const isEnding = isEnd(read) && mine?.status === 'active';
      if (other !== undefined && !isEnding) throw alreadyExists(call, other, externalId);
      const succeeds = former && { succeeds: profileOf(former) };
      sent = sentOf(structuredClone(read), mine === undefined ? {} : userResource(mine, call.base), problems);
      // Only somebody who is active can be set inactive.
      if (mine?.status !== 'active') requireReadable(problems, false);
      sent.ends &&= mine?.status === 'active';
      if (mine === undefined) {
        userNameOf(read.resource);
        const change = changeOf(sent, undefined);
        return {
          draft: draftNew(randomUUIDv7(), email, change),
          source: sourceOf(sent, undefined),
          reason: null,
          ...succeeds,
        };
      }
      checkNames(sent, mine.email);
      if (sent.ends) await requireUnique(tx, call, mine, sent);
      sent.named.add('active');
      sent.resource.active ??= true;
      const isSame = mine.same_id === true || (externalId !== null && mine.released_id === externalId);
      return { ...writeOf(sent, mine), ...succeeds, returnsByEmail: mine.status !== 'active' && !isSame };
    },
    (tx, person, left) => noteLeft(tx, person, sent?.left ?? [], left),
  );
  return getUser(call, id);
}

const isReadable = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the person who was released with this id. To another client, the same id may be that of somebody else: it must know the email or
 * the username as well.
 */
const releasedAmong = (alike: readonly Alike[], externalId: string | null, keyId: string | null) =>
  externalId === null
    ? undefined
    : alike.find(
        (one) =>
          one.owned === null &&
          one.merged_into === null &&
          one.released_id === externalId &&
          (one.released_key === keyId || one.same_email || one.same_username),
      );

/** Whether no provider shows the person with this email to clients. */
const isFree = ({ same_email, merged_into, deleted, owned }: Alike) =>
  same_email && merged_into === null && (deleted || owned === null);

/** Whether an active person can be taken over by their email. The id of one who was released is kept. */
const isAdoptable = ({ status, same_id, released_id }: Alike, externalId: string | null) =>
  status === 'active' &&
  same_id !== false &&
  (released_id === null || externalId === null || released_id === externalId);
