import { DomainError, forbidden, invalid, notFound } from '../../kit/errors.ts';
import { type Cell, csvOf } from '../../kit/http/csv.ts';
import type { Call } from '../../kit/identity/call.ts';
import { mayTouchApp, type Principal } from '../../kit/identity/principal.ts';
import { recordExport } from '../../log/events/exports.ts';
import type { AccountStatus } from './account.ts';
import { accountOf } from './accounts.ts';
import { coverageOf, type Moment } from './history/moment.ts';
import type { Coverage } from './history/period-facts.ts';
import * as accounts from './history/queries/accounts.ts';

/** The apps that a caller may see, or the one that they ask for. Null: all. 403 for one that they may not see (D7). */
export function appsOf(principal: Principal, app: string | null): string[] | null {
  if (app !== null && !mayTouchApp(principal, app))
    throw forbidden('This key does not have access to this app.');
  if (app !== null) return [app];
  return principal.apps === 'all' ? null : [...principal.apps];
}

/**
 * Returns an account as it was at a moment. A member must have been the account's person then, and still be. 404 if the
 * account did not exist then.
 */
export async function accountAsOf(
  call: Call,
  accountId: string,
  moment: Moment,
): Promise<{ account: accounts.AccountAsOf; coverage: Coverage[] }> {
  const now = await accountOf(call, accountId);
  const account = await accounts.findAccountAsOf(call, accountId, moment);
  const coverage = await coverageOf(call, [now.app_id], moment);
  if (account === undefined) throw new DomainError('not_found', didNotExist(coverage));
  if (call.principal.role === 'member' && account.user !== call.principal.userId)
    throw forbidden('A member can only see their own accounts.');
  return { account, coverage };
}

export interface AccountsAsOfFilter {
  app: string | null;
  status: AccountStatus | null;
  user: string | null;
  after: string | null;
}

/** Lists the accounts that existed at a moment, as far as the caller may see them. */
export async function listAccountsAsOf(
  call: Call,
  { app, user, ...filter }: AccountsAsOfFilter,
  moment: Moment,
  limit: number,
) {
  const apps = appsOf(call.principal, app);
  const own = call.principal.role === 'member' ? call.principal.userId : null;
  if (own !== null && user !== null && user.toLowerCase() !== own)
    throw forbidden('A member can only see their own accounts.');
  const wanted = { ...filter, apps, user: own ?? user, nowOf: own };
  const found = await accounts.listAccountsAsOf(call, wanted, moment, limit);
  return { ...found, coverage: await coverageOf(call, apps, moment) };
}

/** Throws 404 for a person that the organization never had, and for a member who asks for another person. */
export async function requireKnownPerson(call: Call, userId: string): Promise<void> {
  if (!(await accounts.isKnownPerson(call, userId))) throw notFound('Person');
  if (call.principal.role === 'member' && userId.toLowerCase() !== call.principal.userId)
    throw forbidden('A member can only see their own access.');
}

/** The parameters of a list of accounts that concern one of its two kinds. */
interface ListQuery {
  app?: string;
  status?: AccountStatus;
  user?: string;
  after?: string;
  format?: 'json' | 'csv';
  email?: string;
  search?: string;
  linked?: boolean;
  sort?: string;
  last_sign_in_before?: string;
  not_used_for_days?: number;
  never_used?: boolean;
  slug?: string;
  resource?: string;
  kind?: string;
  owner?: string;
  without_owner?: boolean;
  of_leavers?: boolean;
  correlation?: string;
  mfa?: string;
  offset?: number;
  count_to?: number;
}

const PRESENT_ONLY = [
  ...(['email', 'search', 'linked', 'offset', 'count_to'] as const),
  ...(['last_sign_in_before', 'not_used_for_days', 'never_used'] as const),
  ...(['slug', 'resource', 'kind', 'owner', 'without_owner', 'of_leavers', 'correlation', 'mfa'] as const),
];

/** Returns the filter of a list at an earlier time. 400 for parameters that only the present list can serve. */
export function asOfFilter(query: ListQuery): AccountsAsOfFilter {
  const { app = null, status = null, user = null, after = null, sort = 'created' } = query;
  const misplaced = PRESENT_ONLY.find((name) => query[name] !== undefined && query[name] !== 0);
  if (misplaced)
    throw invalid(
      `${misplaced} cannot be combined with as_of. Such a list takes app, user, status and limit; follow next for more.`,
    );
  if (sort !== 'created')
    throw invalid(
      'sort cannot be combined with as_of: the list is in the order in which accounts were created. Leave out sort.',
    );
  return { app, status, user, after };
}

/** Throws 400 for parameters that only a list at an earlier time can serve. */
export function requirePresent({ after, format }: ListQuery): void {
  if (after !== undefined) throw invalid('after needs as_of. Use offset for the present list.');
  if (format === 'csv') throw invalid('format=csv needs as_of. Add the time of the report.');
}

/** Yields all accounts at a moment and what they held as CSV text, after recording the export. */
export async function exportAccountsAsOf(
  call: Call,
  filter: AccountsAsOfFilter,
  moment: Moment,
): Promise<AsyncGenerator<string>> {
  const first = await listAccountsAsOf(call, filter, moment, SLICE);
  await recordExport(call, 'accounts_as_of', filter.app);
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
  app?.sync_before
    ? 'This account did not exist at that time.'
    : 'Nothing is known of this account at that time: no sync of its app had completed, or the history is not kept that long. Choose a later time.';
