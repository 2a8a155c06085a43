// @module-tag engine

import { expect, onTestFinished, test } from 'vitest';
import { openJobs } from '#kit/jobs/jobs.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';
import { defineReviewJobs, sendUnfinishedCycles } from './jobs.ts';
import { reassignMissedItems } from './reviewers/reassign.ts';

test('opens and closes due cycles once with two nodes', async () => {
  const service = await openReviewsTest([{ id: 'a', email: 'a@acme.example' }]);
  onTestFinished(service.close);
  const { db } = service.database;
  const logger = createLogger('silent');
  const secondNode = openJobs(service.database, logger);
  defineReviewJobs(db, secondNode, logger);
  await secondNode.start();
  onTestFinished(() => secondNode.stop());
  const campaign = await service.campaign({ starts_at: '2999-01-01', on_no_response: 'revoke' });
  const cyclesThatAre = (status: string) =>
    expect.poll(
      async () => (await service.call('GET', `/api/reviews/${campaign}/cycles/?status=${status}`)).body.count,
      { timeout: 20_000 },
    );

  await setTimes(db, 'review_cycle', { opens_at: '1 minute ago' }, { org_id: service.orgId });
  await Promise.all([sendUnfinishedCycles(db, secondNode), sendUnfinishedCycles(db, secondNode)]);
  await cyclesThatAre('in_progress').toBe(1);
  await service.makeDue();
  await Promise.all([sendUnfinishedCycles(db, secondNode), sendUnfinishedCycles(db, secondNode)]);
  await cyclesThatAre('completed').toBe(1);
  expect((await service.call('GET', `/api/reviews/${campaign}/cycles/`)).body.count).toBe(1);
  expect((await service.call('GET', '/api/tasks/')).body.count).toBe(1);
});

test('reassigns items that the hook missed', async () => {
  const service = await openReviewsTest([{ id: 'a', email: 'a@acme.example' }], { jobs: true });
  onTestFinished(service.close);
  const { db } = service.database;
  const leaver = await service.keyOf('leaver@acme.example');
  const stand = await service.keyOf('stand-in@acme.example');
  const cycle = await service.start({ reviewer: [leaver.id], fallback_reviewers: [stand.id] });
  await sql`update platform_user set status = 'deactivated' where id = ${leaver.id}`.execute(db);
  await reassignMissedItems(db);
  expect(await service.items(cycle)).toMatchObject([{ reviewer: { external_uuid: stand.id } }]);
});
