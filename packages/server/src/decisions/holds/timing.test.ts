import { test } from 'vitest';
import { openHoldTest } from '../../../test/holds.ts';
import { membersHooks } from '../../directory/people/groups.ts';
import { peopleHooks } from '../../directory/people/save.ts';
import { guardMembers, guardPeople } from './guard.ts';

test('timing', async () => {
  for (const variant of ['with', 'without', 'with', 'without']) {
    const s = await openHoldTest({ own: true });
    if (variant === 'without') {
      const { db } = s.database;
      peopleHooks.set(db, peopleHooks.of(db).filter((h) => h !== guardPeople));
      membersHooks.set(db, membersHooks.of(db).filter((h) => h !== guardMembers));
    }
    const t0 = performance.now();
    const ids = await s.addUsers(400);
    const t1 = performance.now();
    const times: number[] = [];
    for (const id of ids.slice(0, 200)) {
      const a = performance.now();
      await s.leave(id);
      times.push(performance.now() - a);
    }
    const avg = (l: number[]) => (l.reduce((x, y) => x + y, 0) / l.length).toFixed(2);
    const med = (l: number[]) => l.toSorted((a, b) => a - b)[Math.floor(l.length / 2)]?.toFixed(2);
    console.log(variant, 'add', (t1 - t0).toFixed(0), 'first 35', avg(times.slice(0, 35)), 'rest', avg(times.slice(45)), 'median', med(times), 'max', Math.max(...times).toFixed(1));
    const t2 = performance.now();
    await s.settled();
    console.log('settled', (performance.now() - t2).toFixed(0));
    await s.close();
  }
}, 170_000);
