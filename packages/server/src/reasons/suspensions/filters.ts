import { Type } from 'typebox';
import type { Org } from '#kit/database.ts';
import { Instant, Uuid } from '#kit/schemas.ts';
import { filter, filters, type RawBuilder, sql, type ValuesOf } from '#kit/sql.ts';
import { SUSPENSION_STATUSES, type SuspensionStatus } from './suspension.ts';

/** A list as of a time: SQL expressions for the time, and for the end of suspension `s` as it was known. */
export interface Asked extends Org {
  at: RawBuilder<Date>;
  endedAt: RawBuilder<Date | null>;
}

const HAS_STATUS: Record<SuspensionStatus, (asked: Asked) => RawBuilder<unknown>> = {
  active: ({ at, endedAt }) => sql`s.since <= ${at} and coalesce(${endedAt}, 'infinity') > ${at}`,
  scheduled: ({ at, endedAt }) => sql`s.since > ${at} and coalesce(${endedAt}, 'infinity') > ${at}`,
  ended: ({ at, endedAt }) => sql`${endedAt} <= ${at}`,
};

export const suspensionFilters = filters({
  account: filter(Uuid, (account) => sql`s.account_id = ${account}`),
  user: filter(
    { ...Uuid, description: 'The user who has the account now.' },
    (user) => sql`a.user_id = ${user}`,
  ),
  app: filter(Uuid, (app) => sql`s.app_id = ${app}`),
  status: filter(
    Type.Enum([...SUSPENSION_STATUSES], {
      default: 'active',
      description: 'Suspensions in force, that begin later, or that have ended.',
    }),
    (status, asked: Asked) => HAS_STATUS[status](asked),
  ),
});
export type SuspensionFilter = ValuesOf<typeof suspensionFilters>;

export const asOf = {
  as_of: Type.Optional({
    ...Instant,
    description: 'The suspensions as of this time, which cannot be in the future.',
  }),
  known_at: Type.Optional({
    ...Instant,
    description: 'With `as_of`: only what Gatehouse knew at this time.',
  }),
};
