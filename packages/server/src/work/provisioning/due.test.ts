// @module-tag engine
import { afterAll, test } from 'vitest';
import { type DueWork, expectToSleepUntilDue, openDueTest } from '#test/due-times.ts';
import * as provisioning from './queries/find.ts';

const { db, insertTask, deleteTasks, close } = await openDueTest();
afterAll(close);

const works: DueWork[] = [
  {
    name: 'scheduled tasks',
    find: () => provisioning.organizationsWithDueTasks(db),
    untilDue: () => provisioning.untilDueTask(db),
    dueIn: (seconds) => insertTask('scheduled', seconds),
    clear: deleteTasks,
  },
];

test.each(works)('the loop sleeps until $name are due', expectToSleepUntilDue);
