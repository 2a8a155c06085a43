import type { Tx } from '../../../kit/database/open.ts';
import { within } from '../../../kit/database/organization.ts';
import { taken } from '../../../kit/errors.ts';
import type { Call } from '../call.ts';
import { type Alike, findAlike, type UserRow } from '../queries/scim.ts';
import type { Resource } from '../resource.ts';
import { checkedEmailOf, externalIdOf, userNameOf } from './fields.ts';

/** Throws 409 `uniqueness` if a change gives a user the email, username or externalId of another person. */
export async function requireUnique(
  tx: Tx,
  call: Call,
  row: UserRow,
  resource: Resource,
  named: Set<string>,
) {
  const sought = {
    email: named.has('emails') ? checkedEmailOf(resource, row.email) : row.email,
    username: named.has('userName') ? userNameOf(resource) : row.username,
    externalId: externalIdOf(resource),
  };
  const alike = await findAlike(within(tx, call.principal.orgId), sought);
  const isNew = (one: (typeof alike)[number]) =>
    (one.same_email && sought.email !== row.email) ||
    (one.same_username && sought.username !== row.username) ||
    (one.external_id !== null && one.external_id === sought.externalId);
  const other = alike.find((one) => one.id !== row.id && isInTheWay(one) && isNew(one));
  if (other !== undefined) throw alreadyExists(call, other);
}

/** Whether a person blocks others with the same values. Deleted and merged people block only their email, succeeded ones nothing. */
export const isInTheWay = ({ deleted, merged_into, succeeded_by, same_email }: Alike) =>
  same_email || (!deleted && merged_into === null && succeeded_by == null);

export const alreadyExists = ({ base }: Call, other: Alike) => {
  const { id, merged_into, deleted, status, same_email, same_username } = other;
  if (merged_into !== null)
    return taken(
      `The user with this email was merged into another user: ${base}/Users/${merged_into}. Use that user instead.`,
    );
  const what = same_email ? 'email' : same_username ? 'userName' : 'externalId';
  if (!deleted) return taken(`A user with this ${what} already exists: ${base}/Users/${id}.`);
  return taken(
    status === 'active'
      ? `Gatehouse has an active person with this ${what} (${id}), whom this client deleted. Deactivate them in Gatehouse first.`
      : `Somebody who left has this ${what} (${id}). Change it in Gatehouse first.`,
  );
};
