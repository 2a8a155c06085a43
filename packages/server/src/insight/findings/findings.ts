import { appRefusals } from '#inventory/apps/sentences.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, findIdentity, mayTouchApp } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import { findingAccepted, findingAssigned, findingReopened } from './events.ts';
import type { FindingFilter } from './filters.ts';
import type { FindingSummary, FindingView } from './finding-schemas.ts';
import * as queries from './queries/findings.ts';
import { KINDS } from './queries/kinds/index.ts';
import { sentenceOf } from './say.ts';
import { findingRefusals } from './sentences.ts';

type Finding = queries.Finding;

/** Members see the findings about their reports and those assigned to them, and all others those of the apps of their key. */
const seenBy = ({ principal: { apps, role, userId } }: Call): queries.Seen => ({
  apps: apps === 'all' ? null : [...apps],
  member: role === 'member' ? userId : null,
});

/** Lists findings, open ones unless `status` says otherwise. Asking a key for another app than its own is 403 (D7). */
export async function listFindings(call: Call, filter: FindingFilter, page: Page): Promise<Slice<Finding>> {
  if (filter.app !== undefined && !mayTouchApp(call.principal, filter.app))
    throw appRefusals.key_without_app();
  return queries.listFindings(call, { status: 'open', ...filter }, seenBy(call), page);
}

/** Throws 404 for an unknown finding and one that a member may not see, and 403 for one of another app than those of the key. */
export async function accessibleFinding(call: Call, id: string): Promise<Finding> {
  const { member } = seenBy(call);
  const finding = isUuid(id) ? await queries.findFinding(call, id, { apps: null, member }) : undefined;
  if (finding === undefined) throw notFound('Finding');
  const { apps } = call.principal;
  if (apps !== 'all' && (finding.app_id === null || !apps.has(finding.app_id)))
    throw findingRefusals.key_without_app_of_finding();
  return finding;
}

const YEAR_MS = 366 * 86_400_000;

/** Accepts a finding until a time: somebody lives with it for a reason. Nobody accepts what is wrong with their own access. */
export async function acceptFinding(
  call: Call,
  finding: Finding,
  given: { until: string; reason: string },
): Promise<Finding> {
  const until = new Date(given.until);
  const left = until.getTime() - Date.now();
  if (!(left > 0 && left <= YEAR_MS)) throw findingRefusals.finding_accepted_too_long();
  const { userId } = call.principal;
  if (finding.user_id === userId) throw findingRefusals.own_finding();
  const { reason } = given;
  await transaction(call, async (tx) => {
    if (!(await queries.accept(tx, finding.id, { until, reason, by: userId })))
      throw findingRefusals.finding_resolved();
    await recordEvents(tx, [findingAccepted(finding, { until, reason }, call.cause)]);
  });
  return accessibleFinding(call, finding.id);
}

/** Ends the acceptance of a finding. */
export async function reopenFinding(call: Call, finding: Finding): Promise<Finding> {
  await transaction(call, async (tx) => {
    if (!(await queries.reopen(tx, finding.id)))
      throw findingRefusals.finding_not_accepted({ status: finding.status });
    await recordEvents(tx, [findingReopened(finding, call.cause)]);
  });
  return accessibleFinding(call, finding.id);
}

/** Makes somebody look after a finding, who sees it from then on. */
export async function assignFinding(call: Call, finding: Finding, userId: string | null): Promise<Finding> {
  const from = finding.assignee?.external_uuid ?? null;
  await transaction(call, async (tx) => {
    const person = userId === null ? null : await findIdentity(tx, userId);
    if (person === undefined) throw notFound('Person');
    if (person !== null && person.status !== 'active')
      throw findingRefusals.finding_assignee_deactivated({ email: person.email });
    const to = person?.id ?? null;
    if (to === from) return;
    await queries.assign(tx, finding.id, to);
    await recordEvents(tx, [findingAssigned(finding, { from, to }, call.cause)]);
  });
  return accessibleFinding(call, finding.id);
}

/** Findings of a kind beyond this number are not counted, so that an organization of any size costs the same. */
const COUNTED = 1000;

/** Counts the open findings that the caller sees, and those that are critical or high. */
export const countSevere = (call: Call): Promise<{ count: number; severe: number }> =>
  queries.countSevere(call, seenBy(call), COUNTED);

/** Counts what was not resolved at the end of each of the last days, and what is open now, by kind. */
export async function summarize(call: Call, days: number): Promise<FindingSummary> {
  const rows = await queries.changesByDay(call, days, seenBy(call));
  const changes = Map.groupBy(rows, ({ day }) => day);
  const counts: Record<string, number> = {};
  const today = Temporal.Now.plainDateISO('UTC');
  const all = Array.from({ length: days + 1 }, (_, i) => today.subtract({ days: days - i }).toString());
  const summary = all.map((day) => {
    for (const { kind, n } of changes.get(day) ?? []) counts[kind] = (counts[kind] ?? 0) + n;
    return { day, counts: Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0)) };
  });
  const open = await queries.countOpen(call, seenBy(call), COUNTED + 1);
  return {
    days: summary.slice(1),
    open: open.flatMap(({ kind, n }) =>
      n === 0 ? [] : [{ kind, count: Math.min(n, COUNTED), more: n > COUNTED }],
    ),
  };
}

/** Returns a finding as the API shows it. */
export function viewOf({
  id,
  values,
  subject_type,
  subject_id,
  label,
  app_id,
  user_id: _user,
  ...finding
}: Finding): FindingView {
  const { code, text } = sentenceOf(finding.kind, values);
  const { href, action } = KINDS[finding.kind];
  return {
    external_uuid: id,
    ...finding,
    text: { code, values, sentence: text },
    subject: { type: subject_type, external_uuid: subject_id, label },
    href: href(subject_id, app_id),
    action,
  };
}
