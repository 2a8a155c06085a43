import type { SuspendedAccount } from '#directory/people/suspensions.ts';
import type { OrgDb } from '#kit/database.ts';
import { type StillSuspended, stillSuspended } from './queries/suspended.ts';

/** Returns the suspensions of a person's accounts that stay in force when the person is active again (D73). */
export const readStillSuspended = async (db: OrgDb, userId: string): Promise<SuspendedAccount[]> =>
  (await stillSuspended(db, userId)).map(suspendedAccount);

export const suspendedAccount = (one: StillSuspended): SuspendedAccount => ({
  account: one.account_id,
  email: one.email,
  app: { id: one.app_id, name: one.app_name },
  source: { kind: one.kind, external_uuid: one.source_id, label: one.label },
  reason: one.reason,
});
