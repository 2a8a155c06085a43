import { setTimeout as rest } from 'node:timers/promises';
import { giveWay, hasNeighbors } from './place.ts';
import { takeTurns } from './turns.ts';

const TURN_MS = 1;
/** A loop of more turns is long: it rests while others are active. A page of a list has fewer. */
const FREE_TURNS = 20;
const LONGEST_REST_MS = 250;

/** All long loops of the process share these turns: together they hold the event loop no longer than one. */
const turns = takeTurns();

async function next(isLong: boolean) {
  await giveWay();
  if (isLong && hasNeighbors()) await rest(TURN_MS);
  await new Promise<void>((resolve) => turns(resolve));
}

/**
 * Returns a function for long loops to await in every round. It lets other requests run whenever the loop has held the
 * event loop for 1 ms, and those that wait in the line of the organization whenever its request has held its place for long. A loop of
 * more than 20 ms also rests for as long as it runs, while other organizations send requests.
 */
export function pacer(): () => Promise<void> | undefined {
  let since = performance.now();
  let turn = 0;
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return next(++turn > FREE_TURNS).then(() => {
      since = performance.now();
    });
  };
}

/** Runs work of another thread. While other organizations send requests, it then rests for as long as the work took, 250 ms at most. */
export async function withRest<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    if (hasNeighbors()) await rest(Math.min(performance.now() - began, LONGEST_REST_MS));
  }
}

/** Returns `list.filter(test)` without holding the event loop. */
export async function filterInTurns<T>(list: Iterable<T>, test: (item: T) => boolean): Promise<T[]> {
  const pace = pacer();
  const kept: T[] = [];
  for (const item of list) {
    if (test(item)) kept.push(item);
    await pace();
  }
  return kept;
}

/** Returns `list.map(change)` without holding the event loop. */
export async function mapInTurns<T, R>(list: Iterable<T>, change: (item: T) => R): Promise<R[]> {
  const pace = pacer();
  const changed: R[] = [];
  for (const item of list) {
    changed.push(change(item));
    await pace();
  }
  return changed;
}
