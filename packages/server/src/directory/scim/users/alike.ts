import type { OrgTx } from '#kit/database.ts';
import type { Call } from '../call.ts';
import { unique } from '../errors.ts';
import { type Alike, findAlike, type UserRow } from '../queries/scim.ts';
import { externalIdOf, userNameOf, workEmailOf } from './fields.ts';
import { leave, type Sent } from './sent.ts';
import { idOf } from './write.ts';

/** Refuses, with 409 `uniqueness`, that a change gives a user the email, username or externalId of another person. */
export async function requireUnique(tx: OrgTx, call: Call, row: UserRow, sent: Sent): Promise<void> {
  const { resource, named } = sent;
  const sought = {
    email: named.has('emails') ? (workEmailOf(resource).value as string) : row.email,
    username: named.has('userName') ? userNameOf(resource) : row.username,
    externalId: externalIdOf(resource),
  };
  const alike = (await findAlike(tx, sought)).filter((one) => one.id !== row.id && isInTheWay(one));
  const rules: [attribute: string, isTaken: (one: Alike) => boolean][] = [
    ['emails', (one) => one.same_email && sought.email !== row.email],
    ['userName', (one) => one.same_username && sought.username !== row.username],
    ['externalId', (one) => one.external_id !== null && one.external_id === sought.externalId],
  ];
  for (const [attribute, isTaken] of rules) {
    const other = alike.find(isTaken);
    if (other !== undefined) leave(sent, attribute, alreadyExists(call, other, sought.externalId));
  }
}

/**
 * Whether a person blocks others with the same values. Deleted and merged people block only their email, succeeded ones nothing, and the
 * kept id of a released person blocks nobody.
 */
export const isInTheWay = ({ deleted, merged_into, succeeded_by, ...one }: Alike) =>
  one.same_email ||
  (!deleted && merged_into === null && succeeded_by == null && (one.same_username || one.same_id === true));

/** The error for a person who has what another one should get. `externalId` is the id that the client sent. */
export const alreadyExists = ({ base }: Call, other: Alike, externalId: string | null) => {
  const { id, merged_into, deleted, status, same_email, same_username } = other;
  if (merged_into !== null)
    return unique(
      `The user with this email was merged into another user: ${base}/Users/${merged_into}. Use that user instead.`,
    );
  const what = same_email ? 'email' : same_username ? 'userName' : 'externalId';
  const ids = idsOf(other, externalId);
  if (!deleted)
    return unique(
      `A user with this ${what} already exists: ${base}/Users/${id}.${ids && ` ${ids} ${adviceOn(other)}`}`,
    );
  return unique(
    (status === 'active'
      ? `Gatehouse has an active person with this ${what} (${id}), whom this client deleted. Deactivate them in Gatehouse first.`
      : `Somebody who left has this ${what} (${id}). Change it in Gatehouse first.`) + (ids && ` ${ids}`),
  );
};

/** Names the ids of a person and of a request if they differ. */
const idsOf = (row: UserRow, given: string | null): string => {
  const known = idOf(row);
  return known === null || given === null || known === given
    ? ''
    : `It has the externalId ${shown(known)}, and the request has ${shown(given)}.`;
};

const LONGEST_ID = 100;
const shown = (id: string) => JSON.stringify(id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}...` : id);

const adviceOn = ({ status, external_id }: UserRow): string => {
  if (external_id === null) return RELEASED;
  return status === 'active'
    ? 'If both are the same person, change the externalId of that user. Otherwise give one of them another email and userName.'
    : 'If the same person returns, send that user the new externalId together with active: true. If this is somebody else, delete that user first.';
};

const RELEASED =
  'An administrator released that user, who comes back under the former externalId only. To use another one, let an owner release the client again with forget_ids. If this is somebody else, give one of them another email and userName.';

/** The error for somebody who left, or was released, and would be somebody else with their access (D63). */
export const anotherPerson = (row: UserRow, given: string) => {
  const isReleased = row.external_id === null;
  return unique(
    `${isReleased ? 'This user was released.' : 'This user is inactive.'} ${idsOf(row, given)} ${
      isReleased
        ? RELEASED
        : 'If the same person returns, send the new externalId together with active: true: that removes every way to sign in. If this is somebody else, create a user instead.'
    }`,
  );
};
