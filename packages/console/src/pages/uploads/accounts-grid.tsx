import { t } from '@lingui/core/macro';
import { ActionIcon, TextInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, memo, useRef } from 'react';
import { IconX } from '../../kit/icons/icons.ts';
import { serverText } from '../../language/server-text.ts';
import classes from './grid.module.css';
import { COLUMNS, cellKey, type GridColumn, type GridRow, TITLES } from './grid.ts';
import type { Upload } from './upload.ts';

type Problem = Upload['problems'][number];

interface Actions {
  set: (at: number, column: GridColumn, value: string) => void;
  /** Returns whether the text was taken. Otherwise, the browser pastes it into the cell. */
  paste: (at: number, column: GridColumn, text: string) => boolean;
  remove: (at: number) => void;
}

/** Rows of accounts to type or paste into. Enter and the arrows move between rows. */
export function AccountsGrid({
  rows,
  problems,
  ...actions
}: Actions & { rows: readonly GridRow[]; problems: ReadonlyMap<string, Problem> }) {
  const table = useRef<HTMLTableElement>(null);
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const [at = '', column = ''] = event.currentTarget.dataset.cell?.split(':') ?? [];
    if (step === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    table.current
      ?.querySelector<HTMLInputElement>(`[data-cell="${cellKey(Number(at) + step, column as GridColumn)}"]`)
      ?.focus();
  };
  const last = useRef({ ...actions, move });
  last.current = { ...actions, move };
  return (
    <table ref={table} className={classes.grid} aria-label={t`Accounts`}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {TITLES[column]}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <Row key={row.key} at={at} row={row} problems={problemsOf(problems, at)} actions={last} />
        ))}
      </tbody>
    </table>
  );
}

/** The problems of a row as a text, so that unchanged rows are not drawn again. */
const problemsOf = (problems: ReadonlyMap<string, Problem>, at: number): string =>
  JSON.stringify(
    COLUMNS.map((column) => {
      const problem = problems.get(cellKey(at, column));
      if (problem === undefined) return null;
      const { message, ...said } = problem;
      return serverText({ ...said, text: message });
    }),
  );

interface RowProps {
  at: number;
  row: GridRow;
  problems: string;
  actions: { current: Actions & { move: (event: KeyboardEvent<HTMLInputElement>) => void } };
}

const Row = memo(function Row({ at, row, problems, actions }: RowProps) {
  const number = at + 1;
  const errors = JSON.parse(problems) as (string | null)[];
  const paste = (column: GridColumn) => (event: ClipboardEvent<HTMLInputElement>) => {
    if (actions.current.paste(at, column, event.clipboardData.getData('text/plain'))) event.preventDefault();
  };
  return (
    <tr>
      {COLUMNS.map((column, index) => {
        const title = TITLES[column];
        return (
          <td key={column} data-title={title}>
            <TextInput
              aria-label={t`${title}, row ${number}`}
              data-cell={cellKey(at, column)}
              value={row[column]}
              error={errors[index]}
              maxLength={512}
              autoComplete="off"
              spellCheck={false}
              onChange={({ currentTarget: { value } }) => actions.current.set(at, column, value)}
              onPaste={paste(column)}
              onKeyDown={(event) => actions.current.move(event)}
            />
          </td>
        );
      })}
      <td>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t`Remove row ${number}`}
          onClick={() => actions.current.remove(at)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  );
});
