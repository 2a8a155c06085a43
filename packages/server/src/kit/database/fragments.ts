import { type RawBuilder, sql } from 'kysely';

/** A time as JSON has it: ISO 8601 in UTC, with milliseconds. */
export const isoTime = (time: RawBuilder<unknown>) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
