import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { csvAddress } from '../../api/client.ts';
import { NamedApp } from '../../apps/app-logo.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { IconDownload } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { DataTable, pageQuery } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { listed } from '../../kit/text/listed.ts';
import { Name } from '../../kit/text/name.tsx';
import { grouped, localDay } from '../../kit/text/words.ts';
import classes from './builder.module.css';
import {
  type Field,
  fieldIn,
  type NumberedRow,
  type Query,
  rowsOf,
  type Subject,
  writeQuery,
} from './query.ts';
import { countWords, fieldWord, valueWord } from './words.ts';

interface Props {
  fields: readonly Field[];
  /** Without conditions that lack something. */
  query: Query;
  sort: (sort: string | undefined) => void;
  page: number | undefined;
  turn: (page: number | undefined) => void;
}

/** The rows that a query finds now, and how many. */
export function Results({ fields, query, sort, page, turn }: Props) {
  const list = rowsOf(query);
  const found = useQuery(pageQuery(list, page));
  const { subject } = query;
  if (found.isError && found.data === undefined)
    return <Failure error={found.error} again={() => void found.refetch()} />;
  const names = Object.keys(found.data?.results[0]?.fields ?? {});
  const shown = names.length > 0 ? names : (query.columns ?? []);
  const { count, more = false } = found.data ?? {};
  return (
    <>
      <Text role="status" size="sm" className={classes.count ?? ''}>
        {count === undefined ? t`Counting…` : counted(subject, count, more)}
      </Text>
      <DataTable
        label={t`Results`}
        list={list}
        page={page}
        onPage={turn}
        counted={countWords[subject]}
        columns={shown.map((name) => columnOf(fields, name))}
        sort={query.sort}
        onSort={sort}
        href={addressOf}
        empty={<Empty title={t`Nothing meets these conditions`}>{t`Change or remove a condition.`}</Empty>}
      />
      {count !== undefined && count > 0 && (
        <Button
          component="a"
          href={csvAddress('/api/queries/run/', { query: writeQuery(query) })}
          download
          variant="default"
          mt="xs"
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          {t`Export CSV`}
        </Button>
      )}
    </>
  );
}

function counted(subject: Subject, count: number, more: boolean): string {
  const words = countWords[subject](count);
  return more ? t`More than ${words}` : words;
}

const addressOf = ({ account, user }: NumberedRow): string | undefined => {
  if (account !== null) return `/accounts/${account.external_uuid}`;
  return user === null ? undefined : `/people/${user.external_uuid}`;
};

/** The first cell is a link to the row already. */
function columnOf(fields: readonly Field[], name: string): Column<NumberedRow> {
  const field = fieldIn(fields, name);
  return column.cell(
    name,
    fieldWord(name),
    {
      ...(field?.sortable === true && { sort: name }),
      ...(field?.type === 'count' && { right: true }),
    },
    (row) => cellOf(field, name, row),
  );
}

function cellOf(field: Field | undefined, name: string, row: NumberedRow): ReactNode {
  const value: unknown = row.fields[name];
  if (value === null || value === undefined || value === '' || field === undefined) return '';
  if (Array.isArray(value)) return listed(value.map((one) => valueWord(field, String(one))));
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (typeof value === 'number') return grouped(value);
  const text = String(value);
  if (field.type === 'time') return <Moment at={text} />;
  if (field.type === 'day') return localDay(new Date(`${text}T00:00`));
  if (field.type === 'choice') return valueWord(field, text);
  return linked(name, text, row);
}

/** Names lead to what they name. */
function linked(name: string, text: string, { user, app, resource, account }: NumberedRow): ReactNode {
  if (name === 'app.name' || name === 'app.id') return <NamedApp name={text} />;
  if (name === 'user.email' && user !== null && account !== null)
    return (
      <TextLink to="/people/$userId" params={{ userId: user.external_uuid }}>
        <Name of={text} />
      </TextLink>
    );
  if (name === 'resource.name' && resource !== null && app !== null)
    return (
      <TextLink to="/access/$resourceId" params={{ resourceId: resource.external_uuid }}>
        <Name of={text} />
      </TextLink>
    );
  return <Name of={text} />;
}
