import { Type } from 'typebox';
import { lastReviewOf } from '#decisions/reviews/campaigns/facts.ts';
import {
  accounts,
  daysAgo,
  isDormant,
  lacksActiveOwner,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import { isOfLeaver } from '#inventory/records/accounts/leaver-facts.ts';
import { resourceFilters } from '#inventory/records/accounts/resource-filters.ts';
import type { Org } from '#kit/database.ts';
import { Uuid } from '#kit/schemas.ts';
import {
  dated,
  filter,
  filters,
  flagFilter,
  type RawBuilder,
  sql,
  textFilter,
  type ValuesOf,
} from '#kit/sql.ts';

interface Asked extends Org {
  /** The apps of the list, or null for all. */
  apps: string[] | null;
}

/** Whether an account that fits has the group or license `e`. */
const hasMember = ({ orgId }: Org, fits: RawBuilder<unknown>) => sql`e.id in (
  select m.entitlement_id from ${memberships} m join ${accounts} a on a.org_id = m.org_id and a.id = m.account_id
  where m.org_id = ${orgId} and ${fits})`;

/** The filters that the groups and licenses of all apps have beside those of one app, with `p` for app. */
const acrossApps = filters({
  app: dated(filter(Uuid, (app) => sql`e.app_id = ${app}`)),
  id: dated(
    textFilter(
      Type.String({ description: 'The id in the external system.' }),
      (id) => sql`e.external_id = ${id}`,
    ),
  ),
  type: dated(filter(Type.Enum(['group', 'license']), (type) => sql`t.type = ${type}`)),
  requestable: flagFilter(
    { default: false, description: 'true: only those that the catalog offers.' },
    () => sql`e.active and p.configuration_status <> 'DISCONNECTED'`,
  ),
  without_owner: flagFilter(
    { default: false, description: 'true: only those of which the app names no active user as the owner.' },
    (org) => lacksActiveOwner(org, 'e'),
  ),
  of_leavers: flagFilter(
    {
      default: false,
      description:
        'true: only those with accounts of users who are deactivated or past their end date (UTC).',
    },
    (org) => hasMember(org, isOfLeaver(org, 'a')),
  ),
  not_used_for_days: filter(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description: 'Those with accounts that were not used for this number of days.',
    }),
    (days, asked: Asked) => hasMember(asked, isDormant(asked, 'a', days, asked.apps)),
  ),
  not_reviewed_for_days: filter(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description: 'Those that nobody has reviewed for this number of days, or ever.',
    }),
    (days, org) => sql`coalesce(${lastReviewOf(org, 'e')} < ${daysAgo(days)}, true)`,
  ),
});

/** The filters of all groups and licenses, with `e` for entitlement, `t` for resource_type and `p` for app. */
export const entitlementFilters = {
  query: { ...acrossApps.query, ...resourceFilters.query },
  of: (query: EntitlementFilter): EntitlementFilter => ({
    ...acrossApps.of(query),
    ...resourceFilters.of(query),
  }),
  presentOnly: [...acrossApps.presentOnly, ...resourceFilters.presentOnly],
  where: (asked: Asked, given: EntitlementFilter, ...others: RawBuilder<unknown>[]) =>
    resourceFilters.where(
      { ...asked, ...given },
      { active: true, ...given },
      ...others,
      ...acrossApps.conditions(asked, given),
    ),
};

export type EntitlementFilter = ValuesOf<typeof acrossApps> & ValuesOf<typeof resourceFilters>;
