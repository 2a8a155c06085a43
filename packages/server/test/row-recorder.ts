// Records the rows that come back to each place of the server that asks for them.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely } from 'kysely';
import pg from 'pg';
import { isFrequent } from '#kit/database/statement-name.ts';
import { sql } from '#kit/sql.ts';
import { RowKinds, type Rows } from './rows.ts';
import { serverFrames } from './sender.ts';

type Method = (this: unknown, ...parameters: unknown[]) => unknown;
type Frames = (error: Error, sites: NodeJS.CallSite[]) => unknown;

const executing = new AsyncLocalStorage<string>();
const known = new Map<string, RowKinds>();

/** Notes from now on which call of `execute` or `executeQuery` a statement belongs to. */
export function followCalls(): void {
  follow(Object.getPrototypeOf(sql``), 'execute');
  follow(Kysely.prototype, 'executeQuery');
  // Statements that a pool sends on a new connection belong to no call.
  const pool = pg.Pool.prototype as unknown as Record<string, Method>;
  const { connect } = pool;
  pool.connect = function (...parameters) {
    return executing.exit(() => connect?.apply(this, parameters));
  };
}

function follow(prototype: object, name: string) {
  const methods = prototype as Record<string, Method>;
  const method = methods[name] as Method;
  methods[name] = function following(...parameters) {
    return executing.run(placeOfCall(following), () => method.apply(this, parameters));
  };
}

/**
 * Returns the places that asked for a statement, when it is sent: where it was executed, or all frames of the server. None
 * if a test asked.
 */
export function placesOf(query: unknown, text: string): string[] {
  const place = executing.getStore();
  // A statement of `prepared` may be sent on the way of another one. A frequent statement has a name, too, but its own call.
  const { name } = (typeof query === 'object' ? query : {}) as { name?: string };
  const isPrepared = name !== undefined && !isFrequent(name);
  if (place !== undefined && !isPrepared) return isOfTest(place) ? [] : [place];
  const key = `${isPrepared} ${text}`;
  const frames = placesOfText.get(key) ?? serverFrames().map(placeIn);
  const places = frames[0] === undefined || isOfTest(frames[0]) ? [] : frames;
  placesOfText.set(key, places);
  return places;
}

const isOfTest = (place: string) => place.includes('.test.ts:');

const placesOfText = new Map<string, string[]>();

/** Returns a line for the recording if a result shows something new. `nullable` has the columns of tables by their numbers. */
export function rowsOf(
  text: string,
  places: string[],
  result: pg.QueryResult,
  nullable: Record<string, string>,
): Rows | undefined {
  const key = `${places[0]} ${text}`;
  const kinds = known.get(key) ?? new RowKinds();
  known.set(key, kinds);
  const found = kinds.add(result);
  if (found === undefined) return undefined;
  const origins = result.fields.map(({ name, tableID, columnID }) => [
    name,
    nullable[`${tableID}.${columnID}`],
  ]);
  return { places, text, kinds: found, nullable: Object.fromEntries(origins.filter(([, origin]) => origin)) };
}

const PLACE = /\/packages\/server\/(.*:\d+:\d+)\)?$/;
const placeIn = (frame: string) => PLACE.exec(frame)?.[1] ?? '';

/** Places in the source by those in the code that runs: only the first stack of a place is mapped. */
const places = new Map<string, string>();

const positionsOf = ((_, sites) =>
  sites.map((site) => `${site.getFileName()}:${site.getPosition()}`).join('\n')) satisfies Frames;

/** The functions that execute a statement for its place. */
const EXECUTING = '/kit/database/statements.ts:';

/** Returns the place that called `callee`, or the one of `EXECUTING` that did. */
function placeOfCall(callee: (...parameters: never[]) => unknown): string {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 2;
  Error.prepareStackTrace = positionsOf;
  const running = stackBelow(callee);
  Error.prepareStackTrace = prepareStackTrace;
  let place = places.get(running);
  if (place === undefined) {
    const frames = stackBelow(callee).trimEnd().split('\n').slice(1);
    place = placeIn(frames.find((frame) => !frame.includes(EXECUTING)) ?? '');
    places.set(running, place);
  }
  Error.stackTraceLimit = stackTraceLimit;
  return place;
}

function stackBelow(callee: (...parameters: never[]) => unknown): string {
  const holder = { stack: '' };
  Error.captureStackTrace(holder, callee);
  return holder.stack;
}
