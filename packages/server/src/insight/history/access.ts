import { timesOf } from '#inventory/records/history/moment.ts';
import { type Cell, csvOf } from '#kit/csv.ts';
import type { Call } from '#kit/identity.ts';
import { recordExport } from '#log/events/exports.ts';
import type { Cause, Period } from './period-schemas.ts';
import { cursorOf, placeOf } from './place.ts';
import * as queries from './queries/periods.ts';
import { questionOf, type Subject } from './scope.ts';
import { historyRefusals } from './sentences.ts';
import { slicesOf } from './slices.ts';

export interface PeriodsQuery extends Subject {
  from?: string;
  to?: string;
  known_at?: string;
}

/** Returns a reader of the periods that a caller asks for, after checking the parameters and what they may see. */
async function open(call: Call, query: PeriodsQuery) {
  const question = await questionOf(call, query);
  const { from, to, known_at } = await timesOf(call.db, {
    from: query.from,
    to: query.to,
    known_at: query.known_at,
  });
  if (from !== undefined && to !== undefined && to < from) throw historyRefusals.range_backwards();
  const filter = { ...question, from: from ?? null, to: to ?? null, knownAt: known_at ?? 'infinity' };
  const view = call.principal.role === 'member' ? withoutDecisions : (period: Period) => period;
  return async (after: queries.Place | null, limit: number) => {
    const { results, next } = await queries.listPeriods(call, filter, after, limit);
    return { results: results.map(view), next };
  };
}

/** Lists periods of access (D45). */
export async function listPeriods(
  call: Call,
  query: PeriodsQuery,
  cursor: string | undefined,
  limit: number,
) {
  const read = await open(call, query);
  const { results, next } = await read(
    cursor === undefined ? null : (placeOf(cursor, 4) as queries.Place),
    limit,
  );
  return { results, next_cursor: next === null ? null : cursorOf(next) };
}

/** Members see what changed their access, but not the reviews, policies and people behind it. */
const withoutDecisions = (period: Period): Period => ({
  ...period,
  began: withoutDecision(period.began),
  grant: period.grant && { ...period.grant, label: null },
  ended: withoutDecision(period.ended),
  ended_by: period.ended_by && { ...period.ended_by, external_uuid: null, label: null },
});

const withoutDecision = (cause: Cause | null): Cause | null =>
  cause && { ...cause, review_item_id: null, policy_id: null, decided_by: null, actor: null };

/** Yields all periods that the caller asks for as CSV text, after recording the export. */
export async function exportPeriods(call: Call, query: PeriodsQuery): Promise<AsyncGenerator<string>> {
  const read = await open(call, query);
  await recordExport(call, 'access_history', query.app ?? null);
  return csvOf(COLUMNS, slicesOf(read));
}

const COLUMNS: Record<string, (period: Period) => Cell> = {
  type: ({ type }) => type,
  app: ({ app }) => app.name,
  account: ({ account }) => account.email || account.display_name,
  account_id: ({ account }) => account.id,
  external_id: ({ account }) => account.external_id,
  user: ({ user }) => user,
  resource_type: ({ resource }) => resource?.slug,
  resource_id: ({ resource }) => resource?.id,
  resource_name: ({ resource }) => resource?.name,
  status: ({ status }) => status,
  not_before: ({ bounds }) => bounds.not_before,
  seen_from: ({ bounds }) => bounds.seen_from,
  seen_until: ({ bounds }) => bounds.seen_until,
  gone_by: ({ bounds }) => bounds.gone_by,
  ...causeColumns('began'),
  grant: ({ grant }) => grant?.external_uuid,
  grant_kind: ({ grant }) => grant?.kind,
  grant_label: ({ grant }) => grant?.label,
  ...causeColumns('ended'),
  ended_by_decision: ({ ended_by }) => ended_by?.kind,
  ended_by_source: ({ ended_by }) => ended_by?.external_uuid,
  ended_by_label: ({ ended_by }) => ended_by?.label,
};

function causeColumns(side: 'began' | 'ended'): typeof COLUMNS {
  const column = (read: (cause: Cause) => Cell) => (period: Period) =>
    period[side] === null ? null : read(period[side]);
  return {
    [`${side}_by`]: column(({ kind }) => kind),
    [`${side}_sync`]: column(({ sync_id }) => sync_id),
    [`${side}_task`]: column(({ task_id }) => task_id),
    [`${side}_ticket`]: column(({ ticket_id }) => ticket_id),
    [`${side}_review_item`]: column(({ review_item_id }) => review_item_id),
    [`${side}_policy`]: column(({ policy_id }) => policy_id),
    [`${side}_decided_by`]: column(({ decided_by }) => decided_by?.email),
  };
}
