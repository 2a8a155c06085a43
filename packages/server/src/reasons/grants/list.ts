import { appRefusals } from '#inventory/apps/sentences.ts';
import { momentOf } from '#inventory/records/history/moment.ts';
import { recordRefusals } from '#inventory/records/sentences.ts';
import { type Cell, csvOf } from '#kit/csv.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordExport } from '#log/events/exports.ts';
import type { GrantFilter } from './filters.ts';
import type { GrantView } from './grant-schemas.ts';
import * as queries from './queries/list.ts';
import { grantRefusals } from './sentences.ts';

export interface GrantsQuery extends GrantFilter {
  as_of?: string;
  known_at?: string;
}

const seenBy = ({ principal: { apps, role, userId } }: Call): queries.Seen => ({
  apps: apps === 'all' ? null : [...apps],
  member: role === 'member' ? userId : null,
});

/**
 * Lists grants (D73). A key that is limited to some apps sees those of these; asking for another app is 403 (D7). Members see those of
 * their own accounts and of people who report to them, without who decided.
 */
export async function listGrants(call: Call, query: GrantsQuery, page: Page): Promise<Slice<GrantView>> {
  return queries.listGrants(call, await questionOf(call, query), page);
}

async function questionOf(
  call: Call,
  { as_of, known_at, ...filter }: GrantsQuery,
): Promise<queries.Question> {
  const { app, slug, resource, status, user } = filter;
  if ((slug === undefined) !== (resource === undefined)) throw recordRefusals.slug_without_resource();
  if (app !== undefined && !mayTouchApp(call.principal, app)) throw appRefusals.key_without_app();
  const moment = await momentOf(call.db, { ...(as_of && { as_of }), ...(known_at && { known_at }) });
  if (moment !== null && status === 'owed') throw grantRefusals.owed_now_only();
  const seen = seenBy(call);
  const { member } = seen;
  if (member !== null && user !== undefined && !(await queries.isPersonOfMember(call, user, member)))
    throw grantRefusals.own_grants_only();
  const resources = resource === undefined ? [] : await queries.resourcesOf(call, filter);
  return { ...seen, filter, resources, moment };
}

/** Returns a grant as it is now. 404 for an unknown one; 403 for one that the caller may not see. */
export async function accessibleGrant(call: Call, id: string): Promise<GrantView> {
  const seen = seenBy(call);
  const grant = isUuid(id) ? await queries.findGrant(call, id, seen) : undefined;
  if (grant === undefined) throw notFound('Grant');
  if (!mayTouchApp(call.principal, grant.app)) throw grantRefusals.key_without_app_of_grant();
  if (seen.member !== null && !(await queries.isOfMember(call, grant.account, seen.member)))
    throw grantRefusals.own_grants_only();
  return grant;
}

const SLICE = 500;

/** Yields all grants that the caller asks for as CSV text, after recording the export. */
export async function exportGrants(call: Call, query: GrantsQuery): Promise<AsyncGenerator<string>> {
  const question = await questionOf(call, query);
  await recordExport(call, 'grants', query.app ?? null);
  async function* slices() {
    for (let after: string | null = null; ; ) {
      const slice: GrantView[] = await queries.grantsAfter(call, question, after, SLICE);
      yield slice;
      if (slice.length < SLICE) return;
      after = slice.at(-1)?.external_uuid ?? null;
    }
  }
  return csvOf(COLUMNS, slices());
}

const COLUMNS: Record<string, (grant: GrantView) => Cell> = {
  grant: ({ external_uuid }) => external_uuid,
  app: ({ app_name }) => app_name,
  account: ({ account_email }) => account_email,
  account_id: ({ account }) => account,
  user: ({ user }) => user,
  for_user: ({ for_user }) => for_user,
  resource_type: ({ slug }) => slug,
  resource_id: ({ resource }) => resource,
  resource_name: ({ resource_name }) => resource_name,
  kind: ({ source }) => source.kind,
  source: ({ source }) => source.external_uuid,
  label: ({ source }) => source.label,
  decided_by: ({ decided_by }) => decided_by,
  starts_at: ({ starts_at }) => starts_at,
  ends_at: ({ ends_at }) => ends_at,
  ended_at: ({ ended_at }) => ended_at,
  ended_by: ({ ended_by }) => ended_by?.kind,
  ended_by_source: ({ ended_by }) => ended_by?.external_uuid,
  ended_by_label: ({ ended_by }) => ended_by?.label,
  brought: ({ brought }) => brought,
  of_another_person: ({ of_another_person }) => of_another_person,
};
