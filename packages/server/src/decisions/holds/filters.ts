import { Uuid } from '#kit/schemas.ts';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';
import { HoldKind, HoldStatus } from './hold.ts';

export const holdFilters = filters({
  kind: filter(HoldKind, (kind) => sql`h.kind = ${kind}`),
  status: filter(HoldStatus, (status) => sql`h.status = ${status}`),
  client: filter(
    { ...Uuid, description: 'The API key, or the person who imported.' },
    (client) => sql`h.client_id = ${client}`,
  ),
  user: filter(
    { ...Uuid, description: 'Holds of changes of this user.' },
    (user, org) => sql`h.id in (
      select c.window_id from hold_change c where c.org_id = ${org.orgId} and c.user_id = ${user})`,
  ),
});
export type HoldFilter = ValuesOf<typeof holdFilters>;
