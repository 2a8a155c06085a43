import { accessRefusals } from '#directory/access/sentences.ts';
import { timesOf } from '#inventory/records/history/moment.ts';
import type { Call } from '#kit/identity.ts';
import { isTimeZone } from '#kit/time-zones.ts';
import * as queries from './queries/marks.ts';
import { questionOf, type Subject } from './scope.ts';
import { historyRefusals } from './sentences.ts';

export interface MarksQuery extends Subject {
  from?: string;
  to?: string;
  time_zone: string;
}

/** With more accounts, the days on which access began and ended would be all days, and take long to find. */
const MOST_ACCOUNTS = 2000;
const YEAR_MS = 365 * 86_400_000;

/** Returns the days on which something happened to the access of a subject. */
export async function marksOf(call: Call, query: MarksQuery) {
  if (!isTimeZone(query.time_zone)) throw accessRefusals.time_zone_unknown({ name: query.time_zone });
  const question = await questionOf(call, query);
  const times = await timesOf(call.db, { from: query.from, to: query.to });
  const to = times.to ?? times.now;
  const from = times.from ?? new Date(Math.max(0, Date.parse(to) - YEAR_MS)).toISOString();
  if (to < from) throw historyRefusals.range_backwards();
  const filter = { ...question, from, to };
  const access = await queries.isSmall(call, filter, MOST_ACCOUNTS);
  // Members do not see reviews.
  const reviews = call.principal.role !== 'member';
  const moments = await queries.listMoments(call, filter, { access, reviews });
  return { from, to, shows_access: access, results: daysOf(moments, query.time_zone) };
}

type Day = Omit<queries.Moment, 'at'> & { day: string };

/** Adds up the moments of each day. */
function daysOf(moments: readonly queries.Moment[], timeZone: string): Day[] {
  const days = new Map<string, Day>();
  for (const { at, syncs, began, ended, reviews } of moments) {
    const day = at.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate().toString();
    const sum = days.get(day) ?? { day, syncs: 0, began: 0, ended: 0, reviews: 0 };
    days.set(day, {
      day,
      syncs: sum.syncs + syncs,
      began: sum.began + began,
      ended: sum.ended + ended,
      reviews: sum.reviews + reviews,
    });
  }
  return [...days.values()];
}
