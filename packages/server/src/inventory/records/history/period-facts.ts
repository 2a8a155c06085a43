import { type RawBuilder, sql } from '#kit/sql.ts';
import { isCertain } from './facts.ts';

export type Certainty = 'certain' | 'possible';

/** The bounds of a period (D45), in ISO 8601 with microseconds, so that each of them can be asked about. */
export interface Bounds {
  not_before: string | null;
  seen_from: string;
  seen_until: string | null;
  gone_by: string | null;
}

/** A time as text with microseconds. */
export const exactTime = (time: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const time = (period: string, column: string) => exactTime(sql.ref(`${period}.${column}`));

/** The bounds of the period with this alias, as JSON. */
export const boundsOf = (period: string): RawBuilder<Bounds> => sql<Bounds>`jsonb_build_object(
  'not_before', ${time(period, 'not_before')}, 'seen_from', ${time(period, 'since')},
  'seen_until', ${time(period, 'seen_until')}, 'gone_by', ${time(period, 'gone_by')})`;

/** Whether the period with this alias is certain at a time, in words. */
export const certaintyOf = (period: string, at: RawBuilder<unknown>): RawBuilder<Certainty> =>
  sql<Certainty>`case when ${isCertain(period, at)} then 'certain' else 'possible' end`;

/**
 * The order in which the possible states of one account or membership are chosen: the one last seen at or before the
 * time, otherwise the earliest later one.
 */
export const bestFirst = (period: string, at: RawBuilder<unknown>): RawBuilder<unknown> => {
  const since = sql.ref(`${period}.since`);
  return sql`${since} <= ${at} desc, case when ${since} <= ${at} then ${since} end desc, ${since}`;
};
