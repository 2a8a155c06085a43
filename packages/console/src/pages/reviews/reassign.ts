import { plural, t } from '@lingui/core/macro';
import { api, load, ok } from '../../api/client.ts';
import type { Bulk } from '../../kit/controls/bulk-job.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import type { CandidateSearch } from '../../people/candidate-picker.tsx';
import { type Cycle, type Item, itemWords } from './item.ts';

/** The texts of the dialog that reassigns items. */
export const reassignWords = (count: number, manages: boolean) => ({
  title: plural(count, { one: 'Reassign # item?', other: 'Reassign # items?' }),
  about: manages
    ? t`The people whom you choose review these items instead of their reviewers. Decided items and your own access are not affected.`
    : t`The people whom you choose review these items instead of you and those for whom you are the deputy. Decided items and your own access are not affected.`,
  label: t`New reviewers`,
});

/** Finds people who can take over items of the cycle. */
export const reassignSearch = ({ external_uuid }: Cycle): CandidateSearch => ({
  of: external_uuid,
  find: (q, signal) =>
    load(
      '/api/reviews/cycles/{cycle_id}/items/reassign/candidates/',
      { path: { cycle_id: external_uuid }, query: { q } },
      signal,
    ),
});

/** Reassigns the selected items that are undecided and not about the user's own access. */
export function reassignJob(
  cycle: Cycle,
  selection: Selection<Item>,
  me: string | undefined,
  handOver: { to: string[]; reason: string },
): Bulk<Item> {
  const send = (items: Item[]) =>
    ok(
      api.POST('/api/reviews/cycles/{cycle_id}/items/reassign/', {
        params: { path: { cycle_id: cycle.external_uuid } },
        body: { items: items.map(({ id }) => id), ...handOver },
      }),
    );
  return {
    title: plural(selection.count, { one: 'Reassign # item', other: 'Reassign # items' }),
    rows: async () => {
      const rows = await selection.rows();
      selection.clear();
      return rows.filter(({ decision, user }) => decision === null && user?.external_uuid !== me);
    },
    act: (item) => send([item]),
    together: { size: 100, act: send },
    name: itemWords,
  };
}
