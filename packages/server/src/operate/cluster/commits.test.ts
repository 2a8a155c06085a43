// @module-tag engine
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { transaction } from '#kit/database.ts';
import { openJobs } from '#kit/jobs/jobs.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { secondPhaseOf } from '#test/commit-delay.ts';
import { openTestDatabase } from '#test/database.ts';
import { until } from '#test/until.ts';

/** Long enough for a job that does not wait: nodes look for jobs every second. */
const SEVERAL_POLLS_MS = 3000;

describe.runIf(inject('prepared').engine === 'citus')('a job on a cluster', () => {
  test('starts once the workers show the changes of the transaction that sent it', async () => {
    const { database, close } = await openTestDatabase('organization');
    const { db } = database;
    const { rows } = await sql<{ id: string }>`select id from organization`.execute(db);
    const orgId = rows[0]?.id ?? '';
    const nameOfOwner = async () => {
      const owner = await sql<{ name: string }>`
        select first_name as name from platform_user where org_id = ${orgId}`.execute(db);
      return owner.rows[0]?.name;
    };
    const jobs = openJobs(database, createLogger('silent'));
    const seen: unknown[] = [];
    jobs.define({
      name: 'test.read',
      attempts: 1,
      work: async () => {
        seen.push(await nameOfOwner());
      },
    });
    await jobs.start();
    const phase = await secondPhaseOf(database, orgId);
    onTestFinished(async () => {
      phase.release();
      await jobs.stop();
      await close();
      phase.close();
    });
    phase.hold();

    const sent = transaction(db, async (tx) => {
      await sql`update platform_user set first_name = 'New' where org_id = ${orgId}`.execute(tx);
      // Every node has a copy of this row, so the transaction needs both phases.
      await sql`update organization set name = 'New' where id = ${orgId}`.execute(tx);
      await jobs.send(tx, 'test.read', {}, { key: 'read' });
    });
    await phase.untilHeld();
    expect(await nameOfOwner()).not.toBe('New');
    await sleep(SEVERAL_POLLS_MS);
    expect(seen).toEqual([]);
    phase.release();

    await sent;
    await until('the job', () => seen.length);
    expect(seen).toEqual(['New']);
  });
});
