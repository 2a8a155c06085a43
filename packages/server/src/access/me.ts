import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { notFound } from '../platform/errors.ts';
import { findMe, type Me } from './me-queries.ts';

/** Returns the calling person. For a deactivated person's key, the role is the key's effective role. */
export async function describeCaller(db: Db, { orgId, userId, role }: Principal): Promise<Me> {
  const me = await findMe(db, orgId, userId);
  if (me === undefined) throw notFound('User');
  return { ...me, role };
}
