import { Type } from 'typebox';
import { isUnended } from '#kit/identity.ts';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';

export const isLive = sql`(${sql.raw(isUnended('k'))} and u.status = 'active')`;

export const keyFilters = filters({
  user: filter(Uuid, (user) => sql`k.user_id = ${user}`),
  live: filter(
    Type.Boolean({ description: 'true: only keys that work. false: only keys that do not.' }),
    (live) => sql`${isLive} = ${live}`,
  ),
});
export type KeyFilter = ValuesOf<typeof keyFilters>;
