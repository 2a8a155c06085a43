import { appRefusals } from '#inventory/apps/sentences.ts';
import { type Cell, csvOf } from '#kit/csv.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp, type Principal } from '#kit/identity.ts';
import { recordExport } from '#log/events/exports.ts';
import type { Coverage } from '../history/as-of-schemas.ts';
import { coverageOf, type Moment } from '../history/moment.ts';
import { recordRefusals } from '../sentences.ts';
import { type AccountFilter, accountFilters } from './account-filters.ts';
import type { AccountSort, AccountView } from './account-view.ts';
import * as accounts from './queries/accounts-as-of.ts';

/** The apps that a caller may see, or the one that they ask for. Null: all. 403 for one that they may not see (D7). */
export function appsOf(principal: Principal, app: string | null): string[] | null {
  if (app !== null && !mayTouchApp(principal, app)) throw appRefusals.key_without_app();
  if (app !== null) return [app];
  return principal.apps === 'all' ? null : [...principal.apps];
}

/**
 * Returns an account as it was at a moment. A member must have been the account's person then, and still be. 404 if the
 * account did not exist then.
 */
export async function accountAsOf(
  call: Call,
  { id, app_id }: AccountView,
  moment: Moment,
): Promise<{ account: accounts.AccountAsOf; coverage: Coverage[] }> {
  const account = await accounts.findAccountAsOf(call, id, moment);
  const coverage = await coverageOf(call, [app_id], moment);
  if (account === undefined) throw didNotExist(coverage);
  if (call.principal.role === 'member' && account.user !== call.principal.userId)
    throw recordRefusals.own_accounts_only();
  return { account, coverage };
}

export interface AccountsAsOfFilter extends Pick<AccountFilter, 'app' | 'status' | 'user'> {
  /** Only accounts after this one. */
  after?: string;
}

/** Lists the accounts that existed at a moment, as far as the caller may see them. */
export async function listAccountsAsOf(
  call: Call,
  { app, user, after, status }: AccountsAsOfFilter,
  moment: Moment,
  limit: number,
) {
  const apps = appsOf(call.principal, app ?? null);
  const own = call.principal.role === 'member' ? call.principal.userId : null;
  if (own !== null && user !== undefined && user.toLowerCase() !== own)
    throw recordRefusals.own_accounts_only();
  const wanted = { status, apps, user: own ?? user ?? null, nowOf: own, after: after ?? null };
  const found = await accounts.listAccountsAsOf(call, wanted, moment, limit);
  return { ...found, coverage: await coverageOf(call, apps, moment) };
}

/** Throws 404 for a person that the organization never had, and for a member who asks for another person. */
export async function requireKnownPerson(call: Call, userId: string): Promise<void> {
  if (!(await accounts.isKnownPerson(call, userId))) throw notFound('Person');
  if (call.principal.role === 'member' && userId.toLowerCase() !== call.principal.userId)
    throw recordRefusals.own_access_only();
}

/** The parameters of a list of accounts, now or at an earlier time. */
export interface AccountsQuery extends AccountFilter, AccountsAsOfFilter {
  format?: 'json' | 'csv';
  sort?: AccountSort;
  offset?: number;
  count_to?: number;
}

const PRESENT_ONLY = [...accountFilters.presentOnly, 'offset', 'count_to'];

/** Returns the filter of a list at an earlier time. 400 for parameters that only the present list can serve. */
export function asOfFilter(query: AccountsQuery): AccountsAsOfFilter {
  const { sort = 'created' } = query;
  // Without a wish, the offset is 0.
  const misplaced = PRESENT_ONLY.find((name) => (query[name as keyof AccountsQuery] ?? 0) !== 0);
  if (misplaced) throw recordRefusals.not_with_as_of({ misplaced });
  if (sort !== 'created') throw recordRefusals.sort_with_as_of();
  return query;
}

/** Throws 400 for parameters that only a list at an earlier time can serve. */
export function requirePresent({ after, format }: Pick<AccountsQuery, 'after' | 'format'>): void {
  if (after !== undefined) throw recordRefusals.after_without_as_of();
  if (format === 'csv') throw recordRefusals.csv_without_as_of();
}

/** Yields all accounts at a moment and what they held as CSV text, after recording the export. */
export async function exportAccountsAsOf(
  call: Call,
  filter: AccountsAsOfFilter,
  moment: Moment,
): Promise<AsyncGenerator<string>> {
  const first = await listAccountsAsOf(call, filter, moment, SLICE);
  await recordExport(call, 'accounts_as_of', filter.app ?? null);
  async function* slices() {
    for (let page = first; ; ) {
      yield page.results.flatMap(linesOf);
      if (page.next === null) return;
      page = await listAccountsAsOf(call, { ...filter, after: page.next }, moment, SLICE);
    }
  }
  return csvOf(COLUMNS, slices());
}

const SLICE = 200;

interface Line {
  account: accounts.AccountAsOf;
  resource: (accounts.EntitlementAsOf & { type: string; slug: string }) | null;
}

const linesOf = (account: accounts.AccountAsOf): Line[] => {
  const held = ([type, kinds]: [string, Record<string, accounts.EntitlementAsOf[]>]) =>
    Object.entries(kinds).flatMap(([slug, refs]) =>
      refs.map((ref) => ({ account, resource: { ...ref, type, slug } })),
    );
  return [
    { account, resource: null },
    ...Object.entries({ group: account.memberships, license: account.assignments }).flatMap(held),
  ];
};

const boundsIn = ({ account, resource }: Line) => (resource ?? account).bounds;

const COLUMNS: Record<string, (line: Line) => Cell> = {
  app: ({ account }) => account.app_name,
  account: ({ account }) => account.email || account.username,
  account_id: ({ account }) => account.id,
  external_id: ({ account }) => account.external_id,
  status: ({ account }) => account.status,
  user: ({ account }) => account.person?.email,
  resource_type: ({ resource }) => resource?.slug,
  resource_id: ({ resource }) => resource?.id,
  resource_name: ({ resource }) => resource?.name,
  certainty: ({ account, resource }) => (resource ?? account).certainty,
  not_before: (line) => boundsIn(line).not_before,
  seen_from: (line) => boundsIn(line).seen_from,
  seen_until: (line) => boundsIn(line).seen_until,
  gone_by: (line) => boundsIn(line).gone_by,
  through: ({ resource }) => throughOf(resource),
};

/** Returns the group or license that gave the resource. Empty: it was given directly. */
function throughOf(resource: Line['resource']): Cell {
  if (resource === null || resource.via === null) return null;
  return resource.via === undefined ? 'unknown' : resource.via.name || resource.via.id;
}

const didNotExist = ([app]: Coverage[]) =>
  app?.sync_before ? recordRefusals.account_not_yet() : recordRefusals.account_unknown_then();
