import { Type } from 'typebox';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';

export const reportFilters = filters({
  q: filter(
    Type.String({
      maxLength: 200,
      description: 'Part of the name or the email, compared without case.',
    }),
    (q) =>
      sql`position(name_key(${q.trim()}) in name_key(u.first_name || ' ' || u.last_name || ' ' || u.email)) > 0`,
  ),
});
export type ReportFilter = ValuesOf<typeof reportFilters>;
