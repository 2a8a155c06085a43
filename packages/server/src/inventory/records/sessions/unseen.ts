import type { Unseen, UnseenCounts } from '#inventory/apps/unseen.ts';
import type { OrgDb } from '#kit/database.ts';
import { invalidInput } from '#kit/errors.ts';
import { type Issue, issue, MOST_ISSUES } from '#kit/issues.ts';
import type { Sentence } from '#kit/sentences.ts';
import { unseenSentences } from '../sentences.ts';
import * as queries from './queries/unseen.ts';
import type { TypeProgress } from './session.ts';

/** The report of a connector on what its listing does not show (D81). */

/** Makes one form of a report. An empty one is null. */
export const reportOf = (given: readonly (Omit<Unseen, 'id'> & { id?: string | null })[]): Unseen[] | null =>
  given.length === 0 ? null : given.map(({ slug, id = null, rule, count }) => ({ slug, id, rule, count }));

export function countsOf(report: readonly Unseen[]): UnseenCounts {
  const sum = (entries: readonly Unseen[]) => entries.reduce((total, { count }) => total + count, 0);
  return {
    records: sum(report.filter(({ id }) => id === null)),
    members: sum(report.filter(({ id }) => id !== null)),
  };
}

/** Throws 400 for a resource type that the app does not have, the members of an account, and an entry that is reported twice. */
export function requireValidReport(report: readonly Unseen[], types: readonly TypeProgress[]): void {
  const kinds = new Map(types.map(({ slug, type }) => [slug, type]));
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [n, { slug, id, rule }] of report.entries()) {
    const add = (field: string, why: Sentence) => issues.push(issue(`unseen[${n}]${field}`, 'invalid', why));
    const key = JSON.stringify([slug, id, rule]);
    if (!kinds.has(slug)) add('.slug', unseenSentences.should_be_slug_of_app());
    else if (id !== null && kinds.get(slug) === 'account')
      add('.id', unseenSentences.should_be_null_for_account());
    else if (id?.includes('\0')) add('.id', unseenSentences.should_have_no_nul());
    else if (seen.has(key)) add('', unseenSentences.repeats_entry());
    seen.add(key);
    if (issues.length === MOST_ISSUES) break;
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** Returns what the newest published completion of an app could not see. */
export const unseenOfApp = (db: OrgDb, appId: string): Promise<Unseen[]> =>
  queries.readReport(db, queries.lastReport(db, appId));

/** Returns the sums of the same, of each of these apps. Apps without a report are left out. */
export async function unseenCountsOf(db: OrgDb, appIds: string[]): Promise<Map<string, UnseenCounts>> {
  const rows = await queries.readCounts(db, appIds);
  return new Map(rows.map(({ app_id, unseen_counts }) => [app_id, unseen_counts]));
}
