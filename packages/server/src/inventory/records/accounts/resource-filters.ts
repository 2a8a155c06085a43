import { Type } from 'typebox';
import type { Org } from '#kit/database.ts';
import { Uuid } from '#kit/schemas.ts';
import { dated, filter, filters, flagFilter, sql, textFilter, type ValuesOf } from '#kit/sql.ts';

export const Risk = Type.Enum(['low', 'medium', 'high']);

/** The filters of the groups and licenses of an app, with `e` for entitlement and `t` for resource_type. */
export const resourceFilters = filters({
  resource_id: dated(
    filter(
      { ...Uuid, description: 'The `external_uuid` of one group or license, which may no longer exist.' },
      (id) => sql`e.id = ${id}`,
    ),
  ),
  slug: dated(textFilter(Type.String(), (slug) => sql`t.slug = ${slug}`)),
  q: dated(
    textFilter(
      Type.String({ description: 'Part of the name, compared without case.' }),
      (part) => sql`position(name_key(${part}) in name_key(e.name)) > 0`,
    ),
  ),
  active: filter(
    Type.Boolean({ default: true, description: 'false: entitlements that no longer exist.' }),
    (isActive, { resource_id }: Org & { resource_id?: string }) =>
      resource_id === undefined ? (isActive ? sql`e.active` : sql`not e.active`) : null,
  ),
  risk: filter(Risk, (risk) => sql`e.risk = ${risk}`),
  owner: filter(
    { ...Uuid, description: 'The entitlements of which the app names a user as the owner.' },
    (owner) => sql`e.owner_id = ${owner}`,
  ),
  hidden: flagFilter(
    { default: false, description: 'true: only those with hidden members.' },
    () => sql`e.hidden is not null`,
  ),
});

export type ResourceFilter = ValuesOf<typeof resourceFilters>;
