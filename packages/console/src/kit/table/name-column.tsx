import { t } from '@lingui/core/macro';
import { Name } from '../text/name.tsx';
import type { Column } from './column.ts';

/** Returns the column with the names that people gave to the rows. The table compares them. */
export const nameColumn = <T extends { name: string }>(): Column<T> => ({
  id: 'name',
  header: t`Name`,
  cell: ({ name }) => (
    <strong>
      <Name of={name} />
    </strong>
  ),
  csv: ({ name }) => name,
});
