import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { isUuid } from '#kit/ids.ts';
import type { Call } from '../call.ts';
import { findUser, type UserRow } from '../queries/scim.ts';
import type { Resource } from '../resource.ts';
import { userResource } from './resource.ts';

export async function getUser(call: Call, id: string): Promise<Resource> {
  return userResource(await existingUser(call, id), call.base);
}

/** Returns the row of a user. Throws 404 for a person whom the client deleted, or who was merged. */
export async function existingUser(db: OrgDb, id: string): Promise<UserRow> {
  const row = isUuid(id) ? await findUser(db, id) : undefined;
  if (row === undefined) throw notFound('User');
  return row;
}
