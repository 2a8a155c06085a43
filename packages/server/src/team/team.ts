import type { Principal } from '../identity/principal.ts';
import { type AccountView, liveAccountsOf } from '../inventory/accounts.ts';
import type { Db } from '../platform/database/open.ts';
import { notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { type PendingOfPerson, pendingTicketsOf } from '../requests/of-people.ts';
import { type OpenReviewOfPerson, openReviewsOf } from '../reviews/of-people.ts';
import * as queries from './queries.ts';

/** A person who reports to the caller, with what the caller has to know or do about them. */
export interface TeamMember extends queries.Report {
  access: queries.AccessFigures;
  requests: PendingOfPerson[];
  reviews: OpenReviewOfPerson[];
}

/** Lists the caller's direct reports. Everybody may read those, and nobody else's: the role does not count. */
export async function listTeam(
  db: Db,
  principal: Principal,
  q: string | null,
  page: Page,
): Promise<Slice<TeamMember>> {
  const { orgId, userId } = principal;
  const { count, results } = await queries.listReports(db, orgId, userId, q, page);
  return { count, results: await withFigures(db, principal, results) };
}

/** Returns a direct report of the caller with their accounts. 404 for everybody else, whether they exist or not. */
export async function teamMember(
  db: Db,
  principal: Principal,
  id: string,
): Promise<TeamMember & { accounts: AccountView[] }> {
  const { orgId, userId } = principal;
  const report = isUuid(id) ? await queries.findReport(db, orgId, userId, id) : undefined;
  if (report === undefined) throw notFound('User');
  const [member] = await withFigures(db, principal, [report]);
  return { ...(member as TeamMember), accounts: await liveAccountsOf(db, orgId, report.id) };
}

const NOTHING: queries.AccessFigures = { accounts: 0, groups: 0, licenses: 0, last_sign_in_at: null };

/** Reads the figures of all these people with one statement each, not one for each person. */
async function withFigures(db: Db, principal: Principal, people: queries.Report[]): Promise<TeamMember[]> {
  const ids = people.map(({ id }) => id);
  const figures = await queries.accessFigures(db, principal.orgId, ids);
  const requests = Map.groupBy(
    await pendingTicketsOf(db, principal.orgId, principal.userId, ids),
    ({ user }) => user,
  );
  const reviews = Map.groupBy(await openReviewsOf(db, principal, ids), ({ user }) => user);
  return people.map((person) => ({
    ...person,
    access: figures.get(person.id) ?? NOTHING,
    requests: requests.get(person.id) ?? [],
    reviews: reviews.get(person.id) ?? [],
  }));
}
