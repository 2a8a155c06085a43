// @module-tag engine
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '#app.ts';
import { firePolicies } from '#decisions/policies/fire.ts';
import { continueOpening } from '#decisions/reviews/opening/open.ts';
import { openDatabase } from '#kit/database/open.ts';
import { type Database, within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { caller, openTestApp, type TestApp } from '../app.ts';
import { changesOf, linesOf, type Node, openDecisions, STORIES, type Subject } from '../decisions.ts';
import { organizationOf } from '../people.ts';
import { settle } from '../policies.ts';
import { secrets } from '../secrets.ts';

/*
 * A node that dies between two statements of a decision leaves all of it or nothing: tasks, grants, suspensions, planned ends and events.
 * Another node then does the same, and nothing is there twice.
 */

// Without background work, so that the tests decide which node does what.
let service: TestApp;
let database: Database;
let mortal: App;
let mortalDb: Database['db'];
let orgId: string;
let next: () => Promise<Subject>;
/** The number of statements that the mortal node still sends. */
let left = Number.POSITIVE_INFINITY;

const dying: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (left-- <= 0) throw new Error('The node has died.');
    return node;
  },
  transformResult: async ({ result }) => result,
};

beforeAll(async () => {
  service = await openTestApp({ own: true });
  ({ orgId } = await organizationOf(service));
  next = await openDecisions(service);
  const isShared = service.database.engine === 'pglite';
  database = isShared ? service.database : await openDatabase(service.options);
  mortalDb = database.db.withPlugin(dying);
  mortal = await createApp({
    ...{
      database: { ...database, db: mortalDb },
      secrets,
      logger: createLogger('silent'),
    },
    ...{ publicUrl: undefined, trustProxy: false },
  });
});
afterAll(async () => {
  left = Number.POSITIVE_INFINITY;
  await mortal.close();
  if (database !== service.database) await database.close();
  await service.close();
});

const nodeOf = (call: TestApp['call'], db: Database['db']): Node => ({
  call,
  open: (cycleId) => continueOpening(within(db, orgId), cycleId),
  fire: async () => {
    while (await firePolicies(within(db, orgId)));
  },
});

test.for(Object.entries(STORIES))('%s: all of it or nothing, wherever a node dies', async ([, story]) => {
  const node = nodeOf(service.call, service.database.db);
  const other = nodeOf(caller(mortal, service.key), mortalDb);
  const lines = () => linesOf(service.database, orgId);
  const prepared = async () => {
    const subject = await next();
    return { subject, id: await story.prepare(node, subject), before: await lines() };
  };

  const twin = await prepared();
  await story.decide(node, twin.subject, twin.id);
  const all = changesOf(twin.before, await lines());
  for (const line of story.writes) expect(all).toContainEqual(expect.stringContaining(`+ ${line}`));

  const { subject, id, before } = await prepared();
  for (let statements = 0; ; statements++) {
    left = statements;
    const isAlive = await Promise.resolve(story.decide(other, subject, id)).then(
      () => true,
      () => false,
    );
    left = Number.POSITIVE_INFINITY;
    const done = changesOf(before, await lines());
    if (isAlive || done.length > 0) {
      expect(done, `after ${statements} statements`).toEqual(all);
      expect(statements).toBeGreaterThan(10);
      break;
    }
  }
  await settle(service.database.db);
  expect(changesOf(before, await lines())).toEqual(all);
});
