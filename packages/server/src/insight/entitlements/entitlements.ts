import { appReference } from '#inventory/apps/reference.ts';
import { appRefusals } from '#inventory/apps/sentences.ts';
import { appsOf } from '#inventory/records/accounts/as-of.ts';
import { resourcesOf } from '#inventory/records/accounts/resources.ts';
import { listResourcesAsOf } from '#inventory/records/accounts/resources-as-of.ts';
import type { Moment } from '#inventory/records/history/moment.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Entitlement, EntitlementSort } from './entitlement-schemas.ts';
import { type EntitlementFilter, entitlementFilters } from './filters.ts';
import * as queries from './queries/entitlements.ts';
import { entitlementRefusals } from './sentences.ts';

type Asked = EntitlementFilter & { sort?: EntitlementSort };

/** Lists the groups and licenses of the apps that the caller may see. 403 for another app (D7). */
export async function listEntitlements(
  call: Call,
  { sort = 'name', ...filter }: Asked,
  page: Page,
): Promise<Slice<Entitlement>> {
  return withResources(
    call,
    await queries.listEntitlements(
      call,
      appsOf(call.principal, filter.app ?? null),
      { ...filter, sort },
      page,
    ),
  );
}

/** Returns a group or license, also one that no longer exists. Throws 404 for an unknown one, and 403 for one of an app that the key may not access. */
export async function accessibleEntitlement(call: Call, id: string): Promise<Entitlement> {
  const filter = { resource_id: id, sort: 'name' } as const;
  const { results } = isUuid(id)
    ? await queries.listEntitlements(call, null, filter, { limit: 1, offset: 0 })
    : { results: [] };
  const [found] = results;
  if (found === undefined) throw notFound('Resource');
  if (!mayTouchApp(call.principal, found.app_id)) throw appRefusals.key_without_app();
  const [shown] = (await withResources(call, { count: 1, results })).results;
  if (shown === undefined) throw notFound('Resource');
  return shown;
}

async function withResources(
  call: Call,
  { results, ...counts }: Slice<queries.Use>,
): Promise<Slice<Entitlement>> {
  const resources = new Map(
    (
      await resourcesOf(
        call,
        results.map(({ id }) => id),
      )
    ).map((one) => [one.external_uuid, one]),
  );
  return {
    ...counts,
    results: results.flatMap(({ id, app_id, app_name, ...use }) => {
      const found = resources.get(id);
      return found === undefined ? [] : [{ ...found, app: appReference(app_id, app_name), ...use }];
    }),
  };
}

/** Lists the groups and licenses that existed at a moment. Use and reviews have no history. */
export async function listEntitlementsAsOf(call: Call, asked: Asked, moment: Moment, page: Page) {
  const { active, app = null, ...filter } = asked;
  const misplaced = [...entitlementFilters.presentOnly, 'sort'].find(
    (name) =>
      name !== 'active' && asked[name as keyof Asked] !== undefined && asked[name as keyof Asked] !== false,
  );
  if (misplaced !== undefined || active === false)
    throw entitlementRefusals.entitlements_not_with_as_of({ misplaced: misplaced ?? 'active' });
  const { results, ...rest } = await listResourcesAsOf(
    call,
    appsOf(call.principal, app),
    filter,
    moment,
    page,
  );
  return {
    ...rest,
    results: results.map(({ app_id, app_name, ...one }) => ({
      ...one,
      app: appReference(app_id, app_name),
      leavers: null,
      unused: null,
      reviewed_at: null,
    })),
  };
}
