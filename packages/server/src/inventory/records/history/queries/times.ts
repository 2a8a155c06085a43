import { type RawBuilder, sql } from '#kit/sql.ts';
import type { Moment } from '../moment.ts';

export const atOf = ({ at }: Pick<Moment, 'at'>): RawBuilder<unknown> => sql`${at}::timestamptz`;

export const knownOf = ({ knownAt }: Pick<Moment, 'knownAt'>): RawBuilder<unknown> =>
  sql`${knownAt}::timestamptz`;
