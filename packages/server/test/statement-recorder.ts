// Records the distinct statements that the server sends in this process, each with a few samples of its values, and the rows
// that they return.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { followCalls, placesOf, rowsOf } from './row-recorder.ts';
import { isFromTest, senderOf, serverFrames } from './sender.ts';
import { type Line, nullsOf, type Value } from './statements.ts';

/** Samples for each statement. They differ in the places of their nulls. */
const SAMPLES = 4;
const SERVER = '/packages/server/';

type Query = (this: { options?: pg.ClientConfig }, ...parameters: unknown[]) => unknown;

/** For each text, the samples that are recorded: the places of their nulls. */
type Known = Map<string, Set<string>>;
const known: Known = new Map();
const knownAcross: Known = new Map();
let file: string | undefined;

/** Records from now on, into a file of this process in `folder`. `nullable` has the columns that may be null. */
export function startRecording(folder: string, nullable: Record<string, string>): void {
  if (file !== undefined) return;
  followCalls();
  file = join(folder, `${process.pid}-${Date.now()}.jsonl`);
  for (const { prototype } of [pg.Client, pg.Pool]) {
    const target = prototype as unknown as { query: Query };
    const { query } = target;
    target.query = function (...parameters) {
      // A pool passes a function to the client, and has recorded the statement before it waited for that client.
      const isPassedOn = parameters.some((parameter) => typeof parameter === 'function');
      if (isPassedOn || applicationOf(this) === 'gatehouse-jobs') return query.apply(this, parameters);
      record(parameters);
      const result = query.apply(this, parameters);
      if (result instanceof Promise) recordRows(parameters[0], result, nullable);
      return result;
    };
  }
}

/** Notes that the tests of a file are run. */
export const beginFile = (path: string): void => write({ begun: path });

/** The queue's own pool works with tables that no cluster distributes. */
const applicationOf = (sender: { options?: pg.ClientConfig }) => sender.options?.application_name;

function record([query, parameters]: unknown[]) {
  const { text, values } = sentBy(query, parameters);
  if (text === undefined) return;
  const given = Array.isArray(values) ? values : [];
  const nulls = nullsOf(given);
  if (isEnough(known, text, nulls)) return;
  const frames = serverFrames('as they run');
  if (isFromTest(frames)) return;
  // Found by its name: the function awaits its work for that.
  const isAcross = frames.some((frame) => frame.includes('acrossOrganizations'));
  const samples = isAcross ? knownAcross : known;
  if (isEnough(samples, text, nulls)) return;
  const sent = given.map(asSent);
  if (sent.some(hasNul)) return;
  samples.set(text, (samples.get(text) ?? new Set()).add(nulls));
  write({ text, where: placeOf(serverFrames()), isAcross, values: sent });
}

function sentBy(query: unknown, parameters: unknown): { text: string | undefined; values: unknown } {
  if (typeof query === 'string') return { text: query, values: parameters };
  const { text, values } = query as { text?: unknown; values?: unknown };
  return { text: typeof text === 'string' ? text : undefined, values };
}

/** Records the rows of a statement of the server, once they are there. */
function recordRows(query: unknown, result: Promise<unknown>, nullable: Record<string, string>) {
  const { text } = sentBy(query, undefined);
  if (text === undefined) return;
  const places = placesOf(query, text);
  if (places.length === 0) return;
  const record = (rows: unknown) => {
    if (Array.isArray(rows)) return;
    const line = rowsOf(text, places, rows as pg.QueryResult, nullable);
    if (line !== undefined) write(line);
  };
  // A statement that fails has no rows.
  result.then(record, () => {});
}

/** PostgreSQL refuses such a text, so no server plans the statement. */
const hasNul = (value: Value) => typeof value === 'string' && value.includes('\0');

function isEnough(samples: Known, text: string, nulls: string): boolean {
  const recorded = samples.get(text);
  return recorded !== undefined && (recorded.has(nulls) || recorded.size === SAMPLES);
}

function placeOf(frames: string[]): string {
  const frame = senderOf(frames) ?? frames[0] ?? '';
  return frame.slice(frame.lastIndexOf(SERVER) + SERVER.length).replace(/:\d+\)?$/, '');
}

function asSent(value: unknown): Value {
  const prepared = prepareValue(value);
  return Buffer.isBuffer(prepared) ? { bytes: prepared.toString('base64') } : prepared;
}

function write(line: Line) {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
