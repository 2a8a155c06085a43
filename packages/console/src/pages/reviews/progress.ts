import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';

export const REVIEWERS = '/api/reviews/cycles/{cycle_id}/reviewers/';
export type Progress = Item<typeof REVIEWERS>;
export type Reviewer = NonNullable<Progress['reviewer']>;

export const reviewerName = ({ reviewer }: Progress) =>
  reviewer === null ? t`Administrators` : reviewer.name || reviewer.email;

export const progressColumns: Column<Progress>[] = [
  column.text('reviewer', t`Reviewer`, reviewerName, { csv: ({ reviewer }) => reviewer?.email ?? '' }),
  column.count('items', t`Items`),
  column.count('decided', t`Decided`),
  column.count('open', t`Open`),
  column.count('overdue', t`Overdue`),
];
