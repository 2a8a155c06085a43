import { sql } from 'kysely';
import { Type } from 'typebox';
import { filter, filters, type ValuesOf } from '../../kit/database/filters.ts';
import { isUnended } from '../../kit/identity/key-facts.ts';
import { Uuid } from '../../kit/schemas.ts';

export const isLive = sql`(${sql.raw(isUnended('k'))} and u.status = 'active')`;

export const keyFilters = filters({
  user: filter(Uuid, (user) => sql`k.user_id = ${user}`),
  live: filter(
    Type.Boolean({ description: 'true: only keys that work. false: only keys that do not.' }),
    (live) => sql`${isLive} = ${live}`,
  ),
});
export type KeyFilter = ValuesOf<typeof keyFilters>;
