import type { Logger } from 'pino';
import { type Db, type OrgDb, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { readLog } from '#log/events/follow.ts';
import { recordAlone } from '#log/events/record.ts';
import { checkClock, countAll, type Difference, evaluateAll, readNext, watch } from './evaluate.ts';
import { findingsMissed } from './events.ts';
import { KIND_NAMES, type KindName } from './finding.ts';
import type { MissedFindings } from './metrics.ts';
import { organizations, place } from './queries/cursor.ts';
import { KINDS } from './queries/kinds/index.ts';
import { TOUCHING_TYPES } from './touched.ts';

interface CheckTools {
  db: Db;
  logger: Logger;
  missed: MissedFindings;
}

export function defineFindingJobs(tools: CheckTools & { jobs: Jobs }): void {
  tools.jobs.define({
    name: 'findings.check',
    attempts: 3,
    cron: '11 2 * * *',
    work: async () => {
      for (const orgId of await organizations(tools.db)) await checkFindings(tools, within(tools.db, orgId));
    },
  });
}

/**
 * Looks for all findings of an organization. A difference that neither events nor the clock explain is an alarm: something changes access
 * without saying so.
 */
export async function checkFindings({ logger, missed }: CheckTools, db: OrgDb): Promise<void> {
  while (await watch(db));
  await checkClock(db, true);
  while (await readNext(db));
  const differences = new Map<KindName, Difference>();
  for (const kind of KIND_NAMES) {
    const difference = await evaluateAll(db, kind);
    const isExpected = typeof KINDS[kind].byClock === 'string';
    if (!isExpected && difference.opened + difference.resolved > 0) differences.set(kind, difference);
  }
  await countAll(db);
  if (differences.size === 0 || (await hasUnread(db))) return;
  for (const [kind, difference] of differences) {
    logger.warn({ orgId: db.orgId, kind, ...difference }, 'Findings were missed until the nightly check');
    missed.note(kind, difference.opened + difference.resolved);
  }
  await recordAlone(
    db,
    [...differences].map(([kind, difference]) => findingsMissed(db.orgId, { kind, ...difference })),
  );
}

/** Whether events have come since, which may explain the differences. */
async function hasUnread(db: OrgDb): Promise<boolean> {
  const after = await place.read(db);
  return after !== undefined && (await readLog(db, { after }, TOUCHING_TYPES, 1)).entries.length > 0;
}
