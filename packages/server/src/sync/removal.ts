import { lockApp } from '../apps/apps.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { fail } from './finish.ts';
import * as queries from './queries.ts';
import { FINISH_JOB, sessionOf } from './session.ts';

/** Lets a held completion remove what it had planned (D24a). 409 where the session holds nothing. */
export async function approveRemoval(
  { db, jobs }: { db: Db; jobs: Jobs },
  orgId: string,
  appId: string,
  sessionId: string,
): Promise<void> {
  await sessionOf(db, orgId, appId, sessionId);
  await transaction(db, async (tx) => {
    if ((await lockApp(tx, orgId, appId)) === undefined) throw notFound('App');
    const session = await queries.lockSession(tx, orgId, sessionId);
    if (session?.status !== 'completing' || session.held === null) throw notHeld(session?.status);
    await queries.releaseHeld(tx, orgId, sessionId);
    await jobs.send(tx, FINISH_JOB, { orgId, sessionId }, { key: sessionId });
  });
}

/** Ends a held completion in error: what it published stays, nothing is removed (D24a). */
export async function rejectRemoval(db: Db, orgId: string, appId: string, sessionId: string): Promise<void> {
  const session = await sessionOf(db, orgId, appId, sessionId);
  if (session.status !== 'completing' || session.held === null) throw notHeld(session.status);
  await fail(db, orgId, sessionId, 'Its removals were held for approval and rejected; they were not made.', {
    onlyHeld: true,
  });
  // Somebody else may have approved it meanwhile.
  const { status } = await sessionOf(db, orgId, appId, sessionId);
  if (status !== 'error') throw notHeld(status);
}

const notHeld = (status: string | undefined) =>
  conflict(`The sync session is ${status}; it holds no removals for approval.`);
