import { Type } from 'typebox';
import type { Org } from '#kit/database.ts';
import { instantForSql } from '#kit/instants.ts';
import { Instant, Uuid } from '#kit/schemas.ts';
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
import { AccountStatus } from './account.ts';
import { accountEmailContains, accountMatches, accountOwners } from './facts.ts';
import { isOfLeaver, isOrphaned, lacksOwner } from './leaver-facts.ts';
import { isAmbiguous } from './queries/correlation.ts';
import { neverUsed, notUsedForDays, type Use, usedBefore } from './queries/dormant.ts';

/** The list that a condition on the account `a` is for. */
interface Asked extends Org {
  /** The apps of the list, or null for all. */
  apps: string[] | null;
  slug?: string;
}

/** A condition that no order of the list serves. */
export type Searched = Pick<Use, 'matches'> & Partial<Use>;

/** The filters of the list of accounts (protocol 4.14). */
export const accountFilters = filters({
  app: dated(filter(Uuid, (app) => sql`a.app_id = ${app}`)),
  email: textFilter(
    Type.String({ description: 'Part of the email, compared without case.' }),
    (email): Searched => ({ matches: accountEmailContains('a', email) }),
  ),
  search: textFilter(
    Type.String({
      description: 'Part of the email, the username or the display name, compared without case.',
    }),
    (text): Searched => ({ matches: accountMatches('a', text) }),
  ),
  status: dated(
    filter(AccountStatus, (status) =>
      status === 'ACTIVE'
        ? sql`a.status = 'ACTIVE'`
        : // The second condition lets the planner use the partial index of all states but ACTIVE.
          sql`a.status = ${status} and a.status <> 'ACTIVE'`,
    ),
  ),
  user: dated(filter(Uuid, (user) => sql`a.user_id = ${user}`)),
  // `resource` has the condition of both.
  slug: filter(Type.String({ description: 'With `resource`: the resource type.' }), () => null),
  resource: filter(
    Type.String({
      description:
        'With `slug`: the external id of a group or license, for the accounts that hold it. With `app`, in that app only.',
    }),
    (resource, asked: Asked) => sql`a.id in (${holdersOf(asked, resource)})`,
  ),
  linked: filter(
    Type.Boolean({ description: 'true: accounts that belong to a person. false: those that do not.' }),
    (isLinked) => (isLinked ? sql`a.user_id is not null` : sql`a.user_id is null`),
  ),
  orphaned: flagFilter(
    {
      description:
        'true: only active accounts that belong to nobody, and that no administrator has made service or shared accounts, without those of archived apps.',
    },
    (org) => isOrphaned(org, 'a'),
  ),
  kind: filter(Type.Enum(['service', 'shared']), (kind, org) => owned(org, sql`o.kind = ${kind}`)),
  owner: filter(
    { ...Uuid, description: 'The service and shared accounts for which a user answers.' },
    (owner, org) => owned(org, sql`o.owner_id = ${owner}`),
  ),
  without_owner: flagFilter(
    {
      description:
        'true: only service and shared accounts without an active owner, without those of archived apps.',
    },
    (org) => lacksOwner(org, 'a'),
  ),
  of_leavers: flagFilter(
    {
      description:
        'true: only INVITED, ACTIVE and SUSPENDED accounts of users who are deactivated or past their end date (UTC).',
    },
    (org) => isOfLeaver(org, 'a'),
  ),
  correlation: filter(
    Type.Enum(['ambiguous'], {
      description:
        'ambiguous: only accounts that a task created and of which an administrator has to choose the record. `candidates` lists the records.',
    }),
    (_, org) => isAmbiguous(org, 'a'),
  ),
  last_sign_in_before: filter(
    { ...Instant, description: 'Accounts that were last used before this time, as their apps say.' },
    (time, asked: Asked): Searched => usedBefore(asked, 'a', instantForSql(time)),
  ),
  not_used_for_days: filter(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description:
        'Dormant accounts: not used for this number of days, and known for as long if never used. Accounts of apps that do not say when accounts are used are left out.',
    }),
    (days, asked: Asked): Searched => notUsedForDays(asked, 'a', days),
  ),
  never_used: flagFilter(
    {
      description:
        'true: only accounts that were never used. Accounts of apps that do not say when accounts are used are left out.',
    },
    (asked: Asked): Searched => neverUsed(asked, 'a'),
  ),
  mfa: filter(
    Type.Enum(['true', 'false', 'unknown'], {
      description:
        'true: accounts that sign in with a second factor. false: those that do not. unknown: the app does not say.',
    }),
    (mfa, org) => saysMfa(org, mfa),
  ),
});

export type AccountFilter = ValuesOf<typeof accountFilters>;

const owned = ({ orgId }: Org, where: RawBuilder<unknown>) =>
  sql`a.id in (select o.account_id from ${accountOwners} o where o.org_id = ${orgId} and ${where})`;

/** Selects the accounts that hold a group or license. Without `apps`, one of each app with that name may fit. */
const holdersOf = ({ orgId, apps, slug }: Asked, resource: string) => sql`
  select m.account_id from entitlement e
  join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.slug = ${slug}
  join membership m on m.org_id = e.org_id and m.entitlement_id = e.id
  where e.org_id = ${orgId} and e.external_id = ${resource}
    and (${apps}::uuid[] is null or e.app_id = any(${apps}::uuid[]))`;

/** Whether the app says this about the second factor of account `a`. */
const saysMfa = ({ orgId }: Org, mfa: 'true' | 'false' | 'unknown') => {
  const says = (value: RawBuilder<unknown>) => sql`exists (
    select from account_detail d where d.org_id = ${orgId} and d.account_id = a.id and ${value})`;
  if (mfa === 'unknown') return sql`not ${says(sql`d.mfa_enabled is not null`)}`;
  return says(mfa === 'true' ? sql`d.mfa_enabled` : sql`not d.mfa_enabled`);
};
