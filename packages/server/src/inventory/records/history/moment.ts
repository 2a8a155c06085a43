import { type Db, type OrgDb, transaction } from '#kit/database.ts';
import { instantForSql } from '#kit/instants.ts';
import { recordRefusals } from '../sentences.ts';
import * as queries from './queries/moments.ts';

/** A time that is asked about, and what Gatehouse knew of it at another time. */
export interface Moment {
  /** In ISO 8601 with microseconds. */
  at: string;
  /** In ISO 8601 with microseconds, or `infinity` for everything that is known. */
  knownAt: string;
  /** `knownAt` as responses show it: the present time instead of `infinity`. */
  shownKnownAt: string;
}

/** Reads the times of a request by their parameters' names. 400 for times in the future. */
export async function timesOf<Name extends string>(
  db: Db,
  given: Record<Name, string | undefined>,
): Promise<Record<Name, string | undefined> & { now: string }> {
  const named = Object.entries(given).filter((entry): entry is [Name, string] => entry[1] !== undefined);
  const early = named.find(([, text]) => text.startsWith('0000'));
  if (early) throw recordRefusals.time_too_early({ early: early[0] });
  // In a transaction, which runs on the primary: the clock of a replica may be behind what it has replayed.
  const instants = named.map(([, text]) => instantForSql(text));
  const { now, times } = await transaction(db, (tx) => queries.readTimes(tx, instants));
  const future = named.find((_, index) => times[index]?.is_future);
  if (future) throw recordRefusals.time_in_future({ future: future[0] });
  const read = Object.fromEntries(named.map(([name], index) => [name, times[index]?.at]));
  return { ...read, now } as Record<Name, string | undefined> & { now: string };
}

/** Returns the moment that a request asks about, or null if it asks about the present. */
export async function momentOf(
  db: Db,
  { as_of, known_at }: { as_of?: string; known_at?: string },
): Promise<Moment | null> {
  if (as_of === undefined) {
    if (known_at !== undefined) throw recordRefusals.known_at_without_as_of();
    return null;
  }
  const times = await timesOf(db, { as_of, known_at });
  const at = times.as_of as string;
  if (times.known_at !== undefined && times.known_at < at) throw recordRefusals.known_before_as_of();
  return { at, knownAt: times.known_at ?? 'infinity', shownKnownAt: times.known_at ?? times.now };
}

/** Returns the completed syncs around a moment, for each app. `apps` null: all apps. */
export const coverageOf = (
  db: OrgDb,
  apps: readonly string[] | null,
  moment: Pick<Moment, 'at' | 'knownAt'>,
) => queries.readCoverage(db, apps, moment);
