import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';

export const REVIEWERS = '/api/reviews/cycles/{cycle_id}/reviewers/';
export type Progress = Item<typeof REVIEWERS>;
export type Reviewer = NonNullable<Progress['reviewer']>;

export const reviewerName = ({ reviewer }: Progress) =>
  reviewer === null ? t`Administrators` : reviewer.name || reviewer.email;

export const progressColumns: Column<Progress>[] = [
  { id: 'reviewer', header: t`Reviewer`, cell: reviewerName, csv: ({ reviewer }) => reviewer?.email ?? '' },
  {
    id: 'items',
    header: t`Items`,
    right: true,
    cell: ({ items }) => grouped(items),
    csv: ({ items }) => items,
  },
  {
    id: 'decided',
    header: t`Decided`,
    right: true,
    cell: ({ decided }) => grouped(decided),
    csv: ({ decided }) => decided,
  },
  { id: 'open', header: t`Open`, right: true, cell: ({ open }) => grouped(open), csv: ({ open }) => open },
  {
    id: 'overdue',
    header: t`Overdue`,
    right: true,
    cell: ({ overdue }) => grouped(overdue),
    csv: ({ overdue }) => overdue,
  },
];
