import { expect, test } from 'vitest';
import { giveWay, hasNeighbors, keepingPlace, outside, withPlace } from '../place.ts';
import { openLines } from './lines.ts';
import { requestPlace } from './request-place.ts';

const caller = { name: 'a', isStranger: false };

/** A line with one place, which a request has. */
function open() {
  let now = 0;
  let waiting = 0;
  const lines = openLines({ alone: 1, together: 1 }, () => 0);
  const place = requestPlace(
    caller,
    lines,
    () => {
      waiting++;
      return () => void waiting--;
    },
    () => now,
  );
  lines.enter(caller, place.begin);
  const started: string[] = [];
  return {
    place,
    started,
    waiting: () => waiting,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    enter: (name: string) => lines.enter(caller, () => started.push(name)),
    leave: () => lines.leave(caller),
  };
}

test('a request that has held its place for long lets one that waits go first', async () => {
  const { place, started, pass, enter, leave } = open();
  enter('next');

  await withPlace(place, async () => {
    pass(249);
    expect(giveWay()).toBeUndefined();
    pass(1);
    const back = giveWay();
    expect(started).toEqual(['next']);
    leave();
    await back;
    enter('last');
    expect(started).toEqual(['next']);
  });
  place.end();
  expect(started).toEqual(['next', 'last']);
});

test('it goes on if nobody waits, and in a transaction', () => {
  const { place, started, pass, enter } = open();
  pass(1000);
  expect(withPlace(place, giveWay)).toBeUndefined();

  pass(1000);
  enter('next');
  expect(withPlace(place, () => keepingPlace(giveWay))).toBeUndefined();
  expect(started).toEqual([]);
});

test('a request that waits for another system holds no place in the line', async () => {
  const { place, started, enter, leave, waiting } = open();
  const gate = Promise.withResolvers<string>();
  enter('next');

  const work = withPlace(place, () => outside(() => gate.promise));
  expect([started, waiting()]).toEqual([['next'], 1]);
  gate.resolve('done');
  leave();
  expect(await work).toBe('done');
  expect(waiting()).toBe(0);
  enter('last');
  expect(started).toEqual(['next']);
});

test('a request that ends while it waits takes no place', async () => {
  const { place, started, pass, enter, leave } = open();
  enter('next');
  pass(250);
  const back = withPlace(place, giveWay);
  place.end();

  leave();
  await back;
  enter('last');
  expect(started).toEqual(['next', 'last']);
});

test('says whether others send requests, also within a transaction', () => {
  const { place } = open();
  const asked = () => withPlace(place, () => keepingPlace(hasNeighbors));
  expect(asked()).toBe(false);

  place.hasNeighbors = () => true;

  expect(asked()).toBe(true);
  expect(hasNeighbors()).toBe(false);
});
