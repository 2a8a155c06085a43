import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { useState } from 'react';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { grouped } from '../../kit/text/words.ts';
import type { PlannedTask } from './plan.ts';

const namesOf = (row: object) =>
  'resources' in row
    ? (row as Pick<PlannedTask, 'resources'>).resources.map(({ name, id }) => name || id)
    : [];

const STEP = 25;
/** The server lists this many. */
const LISTED = 1000;

interface TableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowId: (row: T) => string;
}

/** The first rows of a table, and more on request: each row reads the name of its person. */
export function LongTable<T extends RowData>({ rows, ...table }: TableProps<T>) {
  const [shown, setShown] = useState(STEP);
  const rest = rows.length - shown;
  const more = grouped(Math.min(rest, STEP * 4));
  const left = grouped(rest);
  const limit = grouped(LISTED);
  return (
    <>
      <TableView {...table} compared={namesOf} rows={rows.slice(0, shown)} empty={null} />
      {rest > 0 && (
        <Button mt="xs" variant="default" onClick={() => setShown(shown + STEP * 4)}>
          {t`Show ${more} more of ${left}`}
        </Button>
      )}
      {rest <= 0 && rows.length === LISTED && (
        <Text size="sm" c="dimmed" mt="xs">
          {t`Only the first ${limit} are listed.`}
        </Text>
      )}
    </>
  );
}
