import { load } from '../api/client.ts';
import type { CursorList } from '../kit/table/cursor-table.tsx';
import type { Period, PeriodFilter } from './periods.ts';

const PAGE = 200;

/** The periods that match a filter. */
export const periodList = (filter: PeriodFilter): CursorList<Period> => ({
  key: ['/api/history/access/', filter],
  page: (cursor, signal) =>
    load('/api/history/access/', { query: { ...filter, limit: PAGE, cursor } }, signal),
});
