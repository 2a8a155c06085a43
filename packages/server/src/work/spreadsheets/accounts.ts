import { rowSentences } from '#directory/people/sentences.ts';
import { parsePage } from '#inventory/records/sync/record.ts';
import { resemblesEmail } from '#kit/email.ts';
import { DomainError, invalid } from '#kit/errors.ts';
import { isSame, nfc } from '#kit/nfc.ts';
import type { Sentence } from '#kit/sentences.ts';
import { ACCOUNT_FIELDS, type FieldType, type RecordFields } from '../../../../protocol/src/records.ts';
import { ATTRIBUTE, statusOf } from './fields.ts';
import type { MappedColumn, Mapping } from './mapping.ts';
import { type Problem, type Said, said, sentenceIn } from './problem.ts';
import type { SheetRow } from './read/sheet.ts';
import { accountSentences } from './row-sentences.ts';
import { uploadRefusals } from './sentences.ts';

/** An account as a connector would push it (protocol 2.5). */
export interface AccountRecord {
  id: string;
  memberships?: Refs;
  assignments?: Refs;
  attributes: Record<string, string>;
  [field: string]: unknown;
}

/** The cells of the row that a record was made from, by column, to show those with problems. */
const cellsOf = new WeakMap<AccountRecord, string[]>();

type Refs = Record<string, { id: string; name: string }[]>;

/** A mapping whose resource types exist. */
export interface AccountMapping extends Mapping {
  account_type: string;
}

/** Makes the value of a field from its cell. Throws 400 for a wrong value. */
const VALUES: Record<string, (cell: string, mapping: Mapping) => unknown> = {
  email: (cell) => {
    if (resemblesEmail(cell)) return cell;
    throw invalid(accountSentences.row_email_malformed());
  },
  status: (cell, { statuses }) => {
    const status = statusOf(cell, statuses);
    if (status !== undefined) return status;
    throw invalid(accountSentences.row_status_unknown());
  },
};

/** The same for fields of a type. */
const VALUES_OF_TYPE: Partial<Record<FieldType, (cell: string) => unknown>> = {
  time: (cell) => {
    if (/^(?:never|nie)\b/i.test(cell)) return undefined;
    const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d.*))?$/.exec(cell) ?? [];
    if (day === undefined || time === undefined) return day === undefined ? cell : `${day}T00:00:00Z`;
    const seconds = /^\d\d:\d\d$/.test(time) ? `${time}:00` : time;
    return `${day}T${/(?:Z|[+-]\d\d:\d\d)$/i.test(seconds) ? seconds : `${seconds}Z`}`;
  },
  flag: (cell) => {
    if (/^(?:true|yes|on|enabled|ja|wahr|aktiv|1)$/i.test(cell)) return true;
    if (/^(?:false|no|off|disabled|nein|falsch|inaktiv|0)$/i.test(cell)) return false;
    throw invalid(accountSentences.row_flag_malformed());
  },
};

/** Says what people write in a file, where the message says what connectors send. */
const MESSAGES: Partial<Record<FieldType, Sentence>> = {
  time: accountSentences.row_time_malformed(),
};

const typeOf = (name: string) => (ACCOUNT_FIELDS as RecordFields)[name]?.type;

const RELATIONS = { groups: 'memberships', licenses: 'assignments' } as const;
const PAGE = 100;

/**
 * Makes account records from the rows of a file, and reports the problems of each row. Records of pages with problems are
 * left out: a file with problems is not synced. Yields pages as large as a connector may push.
 */
export async function* accountPages(
  headers: string[],
  rows: AsyncIterable<SheetRow>,
  mapping: AccountMapping,
  report: (problem: Problem) => void,
): AsyncGenerator<AccountRecord[]> {
  const columns = columnsOf(headers, mapping);
  const rowOf = new Map<string, number>();
  const merged = new Map<string, AccountRecord>();
  let page: AccountRecord[] = [];
  for await (const row of rows) {
    const record = recordOf(row, headers, columns, mapping, report);
    if (record === undefined) continue;
    const first = rowOf.get(record.id);
    if (first !== undefined && mapping.merge_rows !== true) {
      const why = said(accountSentences.row_id_repeated({ row: first }));
      report({ row: row.number, column: nameOf(columns, 'id'), value: record.id, ...why });
      continue;
    }
    rowOf.set(record.id, first ?? row.number);
    if (mapping.merge_rows === true) {
      const known = merged.get(record.id);
      if (known === undefined) merged.set(record.id, record);
      else merge(known, record, { row: row.number, first: first ?? row.number, columns }, report);
      continue;
    }
    page.push(record);
    if (page.length < PAGE) continue;
    yield* valid(page, columns, mapping, rowOf, report);
    page = [];
  }
  for (const record of merged.values()) {
    page.push(record);
    if (page.length < PAGE) continue;
    yield* valid(page, columns, mapping, rowOf, report);
    page = [];
  }
  if (page.length > 0) yield* valid(page, columns, mapping, rowOf, report);
}

/** A mapped column with its place in the rows. */
type Placed = MappedColumn & {
  index: number;
  /** Whether the id is also another field. Gatehouse then makes it from a name, in NFC (D89). An id of a system stays as it is. */
  isNameToo: boolean;
};

function columnsOf(headers: string[], { columns }: Mapping): Placed[] {
  return columns.map((column) => {
    const index = headers.indexOf(column.column);
    if (index < 0) throw uploadRefusals.mapped_column_missing({ column: column.column });
    return { ...column, index, isNameToo: isNameToo(columns, column) };
  });
}

const isNameToo = (columns: MappedColumn[], { column, field }: MappedColumn) =>
  field === 'id' && columns.some((other) => other.column === column && other.field !== field);

/** Whether the ids of accounts are made from names. */
export const namesAreIds = ({ columns }: Mapping): boolean =>
  columns.some((column) => isNameToo(columns, column));

const nameOf = (columns: Placed[], field: string) =>
  columns.find((column) => column.field === field)?.column ?? field;

function recordOf(
  { number: row, cells, faults }: SheetRow,
  headers: string[],
  columns: Placed[],
  mapping: Mapping,
  report: (problem: Problem) => void,
): AccountRecord | undefined {
  const record: AccountRecord = { id: '', attributes: {} };
  cellsOf.set(record, cells);
  let isSound = true;
  const fail = (column: string, value: string, why: Sentence) => {
    isSound = false;
    report({ row, column, value, ...said(why) });
  };
  const excess = cells.slice(headers.length).find((cell) => cell !== '');
  if (excess !== undefined)
    fail('', excess, rowSentences.row_cells_of_header({ count: cells.length, width: headers.length }));
  for (const column of columns) {
    const fault = faults.find((one) => one.column === column.index);
    const cell = cells[column.index] ?? '';
    if (fault !== undefined) fail(column.column, cell, sentenceIn(fault));
    else if (cell === '') continue;
    else
      try {
        setField(record, column, cell, mapping);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        fail(column.column, cell, error.sentence);
      }
  }
  if (record.id === '' && isSound) fail(nameOf(columns, 'id'), '', accountSentences.row_id_missing());
  return isSound ? record : undefined;
}

function setField(record: AccountRecord, column: Placed, cell: string, mapping: Mapping) {
  const { field } = column;
  if (field === 'groups' || field === 'licenses') addRefs(record, RELATIONS[field], column, cell);
  else if (field === ATTRIBUTE) record.attributes[column.column] = cell;
  else if (column.isNameToo) record.id = nfc(cell);
  else {
    const read = VALUES[field] ?? VALUES_OF_TYPE[typeOf(field) ?? 'text'];
    record[field] = read === undefined ? cell : read(cell, mapping);
  }
}

function addRefs(
  record: AccountRecord,
  relation: 'memberships' | 'assignments',
  { slug = '', separator }: Placed,
  cell: string,
) {
  const names = separator === undefined ? [cell] : cell.split(separator).map((name) => name.trim());
  const refs = names.filter((name) => name !== '').map((name) => ({ id: nfc(name), name }));
  addTo(record, relation, slug, refs);
}

function addTo(
  record: AccountRecord,
  relation: 'memberships' | 'assignments',
  slug: string,
  refs: Refs[string],
) {
  record[relation] ??= {};
  const all = record[relation];
  all[slug] ??= [];
  const list = all[slug];
  const ids = idsOf(list);
  for (const ref of refs) {
    if (ids.has(ref.id)) continue;
    ids.add(ref.id);
    list.push(ref);
  }
}

/** The ids in each list. A hostile file can name one account in every row, and a cell can name many groups. */
const knownIds = new WeakMap<Refs[string], Set<string>>();

function idsOf(list: Refs[string]): Set<string> {
  const ids = knownIds.get(list) ?? new Set();
  knownIds.set(list, ids);
  return ids;
}

/** Adds the groups and licenses of a further row of an account. Its other fields must be equal. */
function merge(
  known: AccountRecord,
  { memberships = {}, assignments = {}, attributes, ...fields }: AccountRecord,
  { row, first, columns }: { row: number; first: number; columns: Placed[] },
  report: (problem: Problem) => void,
) {
  for (const [slug, refs] of Object.entries(memberships)) addTo(known, 'memberships', slug, refs);
  for (const [slug, refs] of Object.entries(assignments)) addTo(known, 'assignments', slug, refs);
  for (const { field, column } of columns) {
    const isAttribute = field === ATTRIBUTE;
    const [to, name] = isAttribute ? [known.attributes, column] : [known, field];
    const value = (isAttribute ? attributes : fields)[name];
    if (field in RELATIONS || value === undefined || isSame(value, to[name])) continue;
    if (to[name] === undefined) to[name] = value;
    else {
      const why = said(accountSentences.row_differs({ row: first }));
      report({ row, column, value: String(value), ...why });
    }
  }
}

/** Yields the page if its records pass the checks of a pushed page (protocol 7.2). Reports their problems otherwise. */
function* valid(
  page: AccountRecord[],
  columns: Placed[],
  { account_type: slug }: AccountMapping,
  rowOf: Map<string, number>,
  report: (problem: Problem) => void,
): Generator<AccountRecord[]> {
  if (problemsOf(slug, page).length === 0) return yield page;
  for (const record of page) {
    for (const { path, ...problem } of problemsOf(slug, [record])) {
      const [, field = '', attribute] = /^records\[0\]\.(\w+)(?:\.(.+))?$/s.exec(path) ?? [];
      const name = Object.entries(RELATIONS).find(([, relation]) => relation === field)?.[0] ?? field;
      const isAttribute = field === 'attributes' && attribute !== undefined;
      const column = isAttribute ? attribute : nameOf(columns, name);
      const index = columns.find((one) => one.column === column)?.index ?? -1;
      report({
        row: rowOf.get(record.id) ?? 0,
        column,
        value: cellsOf.get(record)?.[index] ?? '',
        ...said(
          MESSAGES[typeOf(field) ?? 'text'] ?? rowSentences.row_issue({ problem: sentenceIn(problem) }),
        ),
      });
    }
  }
}

function problemsOf(slug: string, records: AccountRecord[]): (Said & { path: string })[] {
  try {
    parsePage(slug, 'account', { records });
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const issues = error.issues?.map(({ values = {}, ...issue }) => ({ ...issue, values }));
    return issues ?? [{ path: '', ...said(error.sentence) }];
  }
}
