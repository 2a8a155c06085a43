import { pendingTicketsOf } from '#decisions/requests/people-facts.ts';
import { openReviewsOf } from '#decisions/reviews/cycles/of-people.ts';
import type { AccountView } from '#inventory/records/accounts/account-view.ts';
import { liveAccountsOf } from '#inventory/records/accounts/accounts.ts';
import { type WithGrants, withGrants } from '#inventory/records/accounts/reasons.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { readGrants } from '#reasons/grants/brief.ts';
import type { ReportFilter } from './filters.ts';
import type { TeamMember } from './member-schema.ts';
import * as queries from './queries/team.ts';

/** Lists the caller's direct reports. Everybody may read those, and nobody else's: the role does not count. */
export async function listTeam(call: Call, filter: ReportFilter, page: Page): Promise<Slice<TeamMember>> {
  const { userId } = call.principal;
  const { count, results } = await queries.listReports(call, userId, filter, page);
  return { count, results: await withFigures(call, results) };
}

/** Returns a direct report of the caller with their accounts. 404 for everybody else, whether they exist or not. */
export async function teamMember(
  call: Call,
  id: string,
): Promise<TeamMember & { accounts: WithGrants<AccountView>[] }> {
  const { userId } = call.principal;
  const report = isUuid(id) ? await queries.findReport(call, userId, id) : undefined;
  if (report === undefined) throw notFound('Person');
  const [member] = await withFigures(call, [report]);
  const accounts = await liveAccountsOf(call, report.external_uuid);
  return { ...(member as TeamMember), accounts: await withGrants(call, readGrants, accounts) };
}

const NOTHING: queries.AccessFigures = { accounts: 0, groups: 0, licenses: 0, last_sign_in_at: null };

/** Reads the figures of all these people with one statement each, not one for each person. */
async function withFigures(call: Call, people: queries.Report[]): Promise<TeamMember[]> {
  const ids = people.map(({ external_uuid }) => external_uuid);
  const figures = await queries.accessFigures(call, ids);
  const requests = Map.groupBy(await pendingTicketsOf(call, call.principal.userId, ids), ({ user }) => user);
  const reviews = Map.groupBy(await openReviewsOf(call, ids), ({ user }) => user);
  return people.map((person) => ({
    ...person,
    access: figures.get(person.external_uuid) ?? NOTHING,
    requests: requests.get(person.external_uuid) ?? [],
    reviews: reviews.get(person.external_uuid) ?? [],
  }));
}
