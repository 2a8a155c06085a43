import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import type { Column, TableViewProps } from './column.ts';
import classes from './phone-sort.module.css';

interface Props<T> {
  columns: readonly Column<T>[];
  sort: TableViewProps<T>['sort'];
  onSort: NonNullable<TableViewProps<T>['onSort']>;
}

/** Sorts a table on a phone, where its header is not shown. */
export function PhoneSort<T>({ columns, sort, onSort }: Props<T>) {
  const options = columns.flatMap(({ header, sort: by }) =>
    by === undefined
      ? []
      : [
          { value: by, label: t`${header}, ascending` },
          { value: `-${by}`, label: t`${header}, descending` },
        ],
  );
  if (options.length === 0) return null;
  return (
    <Select
      className={classes.sort ?? ''}
      aria-label={t`Sort by`}
      placeholder={t`Sort by`}
      data={options}
      value={sort ?? null}
      onChange={(next) => onSort(next ?? undefined)}
      clearable
    />
  );
}
