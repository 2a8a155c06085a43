import { type DirectoryWrite, writeFromDirectory } from '#directory/people/directory.ts';
import { wasEverInactive } from '#directory/people/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { type Call, requireVersion } from '../call.ts';
import { noteLeft } from '../notes.ts';
import { applyPatch, readPatch, readResource, setsInactive } from '../patch.ts';
import type { UserRow } from '../queries/scim.ts';
import type { Problem, Resource } from '../resource.ts';
import { User } from '../schema.ts';
import { anotherPerson, requireUnique } from './alike.ts';
import { attributeName, attributeOf, externalIdOf } from './fields.ts';
import { existingUser, getUser } from './get.ts';
import { userResource, versionOf } from './resource.ts';
import { checkNames, isEnd, leave, requireReadable, type Sent, sentOf } from './sent.ts';
import { idOf, writeOf } from './write.ts';

/** Replaces the attributes of a user that the client may write. Clears owned attributes that are missing in the body. */
export async function replaceUser(call: Call, id: string, body: unknown): Promise<Resource> {
  const problems: Problem[] = [];
  const read = readResource(User, body, problems);
  requireReadable(problems, isEnd(read));
  await change(call, id, (row, before) => {
    const sent = sentOf(structuredClone(read), before, problems);
    const { resource, named, left } = sent;
    checkNames(sent, row.email);
    const isLeft = (name: string) => left.some(({ attribute }) => attribute === attributeName(name));
    for (const name of (row.owned ?? []).map(attributeOf)) if (!isLeft(name)) named.add(name);
    if (resource.active === undefined) named.delete('active');
    return sent;
  });
  return getUser(call, id);
}

/** Applies a PATCH (RFC 7644, 3.5.2). */
export async function patchUser(call: Call, id: string, body: unknown): Promise<Resource> {
  const unread: Problem[] = [];
  const operations = readPatch(User, body, unread);
  requireReadable(unread, setsInactive(operations));
  await change(call, id, (row, before) => {
    const problems = [...unread];
    const read = applyPatch(User, structuredClone(before), operations, problems);
    const sent = sentOf(read, before, problems);
    checkNames(sent, row.email);
    return sent;
  });
  return getUser(call, id);
}

async function change(
  call: Call,
  id: string,
  decide: (row: UserRow, before: Resource) => Sent,
): Promise<void> {
  let sent: Sent | undefined;
  await writeFromDirectory(
    call,
    async (tx) => {
      const row = await existingUser(tx, id);
      requireVersion(call, versionOf(row));
      sent = decide(row, userResource(row, call.base));
      await requireUnique(tx, call, row, sent);
      if (row.status === 'active') requireKnownId(row, sent);
      return withReturn(tx, row, sent, writeOf(sent, row));
    },
    (tx, person, left) => noteLeft(tx, person, sent?.left ?? [], left),
  );
}

/** Refuses another externalId for an active person who was released. One who is set inactive keeps the former id. */
function requireKnownId(row: UserRow, sent: Sent): void {
  const given = externalIdOf(sent.resource);
  if (!isAnother(row, given)) return;
  if (row.released_id !== null || sent.ends) leave(sent, 'externalId', anotherPerson(row, given));
}

const isAnother = (row: UserRow, given: string | null): given is string =>
  given !== null && idOf(row) !== null && idOf(row) !== given;

/**
 * Adds what a return changes. A person who comes back under another externalId, in the same request or later, loses every way to sign in. Throws 409
 * if an inactive person gets another one without coming back (D63).
 */
async function withReturn(
  tx: OrgTx,
  row: UserRow,
  sent: Sent,
  write: DirectoryWrite,
): Promise<DirectoryWrite> {
  const { status } = write.draft.after;
  const given = externalIdOf(sent.resource);
  const isBack = row.status !== 'active' && status === 'active';
  // No provider knew the person, so nothing but the email says who comes back.
  const returnsByEmail = isBack && row.owned === null && (given === null || given !== row.released_id);
  const former_id = status === 'active' ? row.former_id : null;
  const known = idOf(row);
  if (known === null || !isAnother(row, given))
    return { ...write, source: { ...write.source, former_id }, returnsByEmail };
  if (status !== 'active') throw anotherPerson(row, given);
  if (!isBack && !(await wasEverInactive(tx, row.id)))
    return { ...write, source: { ...write.source, former_id } };
  return {
    ...write,
    source: { ...write.source, former_id: known },
    returnsByEmail,
    returnsAs: { from: known, to: given },
  };
}
