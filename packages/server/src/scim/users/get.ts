import type { Db } from '../../platform/database/open.ts';
import { notFound } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Call } from '../call.ts';
import { findUser, type UserRow } from '../queries.ts';
import type { Resource } from '../resource.ts';
import { userResource } from './resource.ts';

export async function getUser({ db, principal, base }: Call, id: string): Promise<Resource> {
  return userResource(await existingUser(db, principal.orgId, id), base);
}

/** Returns the row of a user. Throws 404 for a person whom the client deleted, or who was merged. */
export async function existingUser(db: Db, orgId: string, id: string): Promise<UserRow> {
  const row = isUuid(id) ? await findUser(db, orgId, id) : undefined;
  if (row === undefined) throw notFound('User');
  return row;
}
