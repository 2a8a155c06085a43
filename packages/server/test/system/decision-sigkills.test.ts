// @module-tag long
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#kit/database/open.ts';
import type { Database } from '#kit/database.ts';
import { createTestDatabase } from '../database.ts';
import { changesOf, linesOf, type Node, openDecisions, STORIES, type Story, tasksOf } from '../decisions.ts';
import { holdBefore, NO_HOLD, overHttp } from '../faults.ts';
import { ORG } from '../organization.ts';
import { organizationOf } from '../people.ts';
import { startService } from '../service.ts';
import { until } from '../until.ts';

/*
 * These tests kill the service with SIGKILL inside a decision, and start it again. decision-kills.test.ts stops at each statement; here the
 * whole process ends, also one that fires policies in the background.
 */

// Each starts the service twice, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** The statements of a decision that write grants or suspensions, and the last one of its commit. */
const pointsOf = ({ writes: [reason = ''] }: Story) => [
  `${reason.includes('ended by') ? 'update' : 'insert'} on ${reason.startsWith('grant') ? 'access_grant' : 'suspension'}`,
  'update on event_head',
];
const KILLS = Object.entries(STORIES).flatMap(([name, story]) =>
  pointsOf(story).map((point) => ({ name, story, point })),
);

test.skipIf(inject('prepared').engine in NO_HOLD).for(KILLS)(
  '$name: a kill before an $point leaves all of it or nothing',
  async ({ story, point }) => {
    const { options, remove } = await createTestDatabase('organization');
    onTestFinished(remove);
    /** Opens no longer than `work` takes: the test waits until the killed service has no connection left. */
    const reading = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase(options);
      return work(database).finally(() => database.close());
    };
    const start = async () => {
      const service = await startService({ database: options, key: inject('prepared').key });
      onTestFinished(() => service.kill());
      const node: Node = {
        call: (method, path, body, by) => overHttp({ ...service, ...by }).call(method, path, body),
        open: async (cycle) => {
          const status = async () => (await node.call('GET', `/api/reviews/cycles/${cycle}/`)).body.status;
          await until('the review', status, (now) => now === 'in_progress');
        },
        fire: async () => {},
      };
      return { node, kill: () => service.kill() };
    };
    const { node, kill } = await start();
    const { orgId, next } = await reading(async (database) => {
      const service = { call: node.call, database, org: ORG };
      return { ...(await organizationOf(service)), next: await openDecisions(service) };
    });
    const lines = () => reading((database) => linesOf(database, orgId));
    const written = (done: string[]) =>
      story.writes.filter((line) => done.some((one) => one.startsWith(`+ ${line}`)));
    const decided = (before: string[]) =>
      until(
        'the decision',
        async () => changesOf(before, await lines()),
        (done) => written(done).length === story.writes.length,
      );

    const first = await next();
    const untouched = await lines();
    await story.decide(node, first, await story.prepare(node, first));
    const all = await decided(untouched);

    const subject = await next();
    const before = await lines();
    // A policy fires as soon as it is prepared.
    const id = story.fires ? '' : await story.prepare(node, subject);
    const prepared = await lines();
    const tasks = await reading((database) => tasksOf(database, orgId));
    const hold = await holdBefore(options.url as string, point, `${tasks.expression} <> '${tasks.now}'`);
    const deciding = story.fires ? story.prepare(node, subject) : story.decide(node, subject, id);
    Promise.resolve(deciding).catch(() => {});
    await hold.untilReached();
    await kill();
    await hold.release();
    await hold.untilGone();
    await hold.close();

    const left = written(changesOf(prepared, await lines()));
    expect([[], story.writes]).toContainEqual(left);
    const again = await start();
    if (left.length === 0) await story.decide(again.node, subject, id);
    expect(await decided(before)).toEqual(all);
  },
);
