import { Type } from 'typebox';
import type { Org } from '#kit/database.ts';
import { Uuid } from '#kit/schemas.ts';
import { dated, filter, filters, flagFilter, sql, textFilter, type ValuesOf } from '#kit/sql.ts';
import { isDormant } from './facts.ts';
import { isOfLeaver } from './leaver-facts.ts';
import { Risk } from './risk.ts';

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

/** The filters of the accounts that hold a group or license, with `a` for account. */
export const memberFilters = filters({
  of_leavers: flagFilter(
    {
      default: false,
      description: 'true: only accounts of users who are deactivated or past their end date (UTC).',
    },
    (org) => isOfLeaver(org, 'a'),
  ),
  not_used_for_days: filter(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description:
        'Accounts that were not used for this number of days, if the app says when accounts are used.',
    }),
    (days, asked: Org & { apps: string[] | null }) => isDormant(asked, 'a', days, asked.apps),
  ),
});

export type MemberFilter = ValuesOf<typeof memberFilters>;
