import { Type } from 'typebox';
import { filters, sql, textFilter } from '#kit/sql.ts';

export const appFilters = filters({
  q: textFilter(
    Type.String({ description: 'Part of the name, case-insensitive.' }),
    (q) => sql`position(name_key(${q}) in name_key(a.name)) > 0`,
  ),
});
