import type { Row } from '#directory/people/csv.ts';
import { importRows } from '#directory/people/import.ts';
import { rowSentences } from '#directory/people/sentences.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import { DomainError, notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import type { Issue } from '#kit/issues.ts';
import { mapInTurns } from '#kit/pacer.ts';
import type { Sentence } from '#kit/sentences.ts';
import { endUpload, requirePlanned } from './apply.ts';
import { optionsOf, requireSound } from './check.ts';
import { ATTRIBUTE, isPersonField, PERSON_FIELDS, statusOf } from './fields.ts';
import { uploadOf } from './find.ts';
import { type Mapping, withNames } from './mapping.ts';
import { type Problem, said, sentenceIn, storable } from './problem.ts';
import * as queries from './queries/uploads.ts';
import type { RowsRead } from './read/read-task.ts';
import { readInWorker } from './read/reader.ts';
import type { SheetRow } from './read/sheet.ts';
import { requireOpen } from './receive.ts';
import { hidden, requireConfirmed } from './remarks.ts';
import { uploadRefusals } from './sentences.ts';
import type { Upload } from './upload.ts';

/** The most people, the same as in a CSV import. */
const MOST_PEOPLE = 100_000;
/** The rows are in memory together. */
const MOST_CHARACTERS = 64_000_000;
const PROBLEMS_AT_ONCE = 500;

/** Checks the rows of a file of people with this mapping, and keeps the changes that importing them would make. */
export async function checkPeople(call: Call, id: string, given: Mapping): Promise<Upload> {
  const mapping = withNames(given);
  const upload = await uploadOf(call, null, id);
  requireOpen(upload);
  const headers = upload.content.columns.map(({ name }) => name);
  const match = matchOf(mapping);
  const required = match === 'email' ? 'email' : undefined;
  requireSound(mapping, headers, [...Object.keys(PERSON_FIELDS), ATTRIBUTE], required);
  const file = await readPeople(call, upload, mapping);
  const rows = file.rows.length;
  if (rows === 0) throw uploadRefusals.rows_missing_for_import();
  let digest = '';
  const confirm = (planned: string) => {
    digest = planned;
  };
  const outcome = await importRows(call, file, {
    dryRun: true,
    match,
    confirm,
  }).catch(issuesOf);
  return transaction(call, async (tx) => {
    const current = await queries.lockUpload(tx, id);
    if (current === undefined) throw notFound('Upload');
    requireOpen(current);
    await queries.clearProblems(tx, id);
    await queries.setChecking(tx, id, mapping, call.cause);
    if (Array.isArray(outcome)) {
      const problems = outcome.map(problemIn(file.rows, mapping));
      for (let start = 0; start < problems.length; start += PROBLEMS_AT_ONCE)
        await queries.insertProblems(tx, id, start, problems.slice(start, start + PROBLEMS_AT_ONCE));
      await queries.setChecked(tx, id, { status: 'invalid', rows, problems: problems.length });
    } else
      await queries.setChecked(tx, id, {
        status: 'planned',
        rows,
        problems: 0,
        result: { ...outcome, digest },
        remarks: hidden(upload.content, mapping, file.hiddenRows),
      });
    return uploadOf(tx, null, id);
  });
}

/**
 * Imports the people of a checked file. Throws 409 if the changes are no longer those of the check, or if a remark needs a confirmation that
 * is missing.
 */
export async function applyPeople(
  call: Call,
  { id, confirmed }: { id: string; confirmed: readonly string[] },
): Promise<Upload> {
  const upload = await uploadOf(call, null, id);
  if (upload.status === 'applied') return upload;
  requirePlanned(upload);
  requireConfirmed(upload.remarks, confirmed);
  const file = await readPeople(call, upload, upload.mapping as Mapping);
  const confirm = (digest: string) => {
    if (digest !== upload.result?.digest) throw changed();
  };
  try {
    const result = await importRows(call, file, {
      dryRun: false,
      match: matchOf(upload.mapping as Mapping),
      confirm,
    });
    return await endUpload(call, null, upload, call.cause, { status: 'applied', result });
  } catch (error) {
    // Of two people who apply the same upload, the second finds it applied.
    const now = await uploadOf(call, null, id);
    if (now.status === 'applied') return now;
    throw hasIssues(error) ? changed() : error;
  }
}

const matchOf = ({ match = 'email' }: Mapping) => match;

const changed = () => uploadRefusals.people_changed_since_check();

/** Returns the invalid rows of an import that was refused because of them. */
function issuesOf(error: unknown): Issue[] {
  if (hasIssues(error)) return error.issues;
  throw error;
}

const hasIssues = (error: unknown): error is DomainError & { issues: Issue[] } =>
  error instanceof DomainError && error.code === 'invalid' && error.issues !== undefined;

/**
 * Makes the problem of a row. An import names rows as `line 7`, and may begin its sentence with the field. A problem of a
 * whole row is shown beside the column by which people are found.
 */
function problemIn(rows: Row[], { columns, match = 'email' }: Mapping): (issue: Issue) => Problem {
  const cells = new Map(rows.map((row) => [row.line, row.cells]));
  return ({ path, message, values = {} }) => {
    const [, field = match, rest = message] = /^(\w+): (.*)$/s.exec(message) ?? [];
    const row = Number(/\d+/.exec(path)?.[0] ?? 0);
    const column = columns.find((one) => one.field === field)?.column ?? field;
    return storable({
      row,
      column,
      value: cells.get(row)?.get(field) ?? '',
      ...said(problemAfter(rest, values)),
    });
  };
}

/** Returns the sentence of a problem without the field before it. Several problems of a row stay one sentence. */
function problemAfter(rest: string, { problem }: Sentence['values']): Sentence {
  const all = problem as Sentence;
  const problems = all.values.problems as readonly Sentence[];
  const only = problems.length === 1 ? (problems[0] as Sentence) : all;
  const inner = only.values.problem as Sentence | undefined;
  const parts = inner === undefined ? [] : [inner, rowSentences.row_issue({ problem: inner })];
  return parts.find(({ text }) => text === rest) ?? { ...only, text: rest };
}

/** Reads the rows with the names of fields and attributes instead of the names of the columns. */
async function readPeople(
  db: OrgDb,
  { id, content }: Upload,
  mapping: Mapping,
): Promise<{ columns: string[]; rows: Row[]; hiddenRows: number }> {
  const headers = content.columns.map(({ name }) => name);
  const columns = mapping.columns.map(({ column, field }) => {
    if (field === ATTRIBUTE && isPersonField(column))
      throw uploadRefusals.attribute_named_as_field({ column });
    return { name: field === ATTRIBUTE ? column : field, index: headers.indexOf(column) };
  });
  const twice = columns.find(({ name }, at) => columns.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined) throw uploadRefusals.attribute_twice({ name: twice.name });
  const rows: Row[] = [];
  let characters = 0;
  const { hiddenRows } = await readInWorker<RowsRead>(
    db.orgId,
    { read: 'rows', options: optionsOf(content, mapping) },
    {
      chunk: (number) => queries.findChunk(db, id, number),
      take: async (items) => {
        rows.push(
          ...(await mapInTurns(items as SheetRow[], (row) => rowOf(row, headers.length, columns, mapping))),
        );
        for (const { cells } of items as SheetRow[]) for (const cell of cells) characters += cell.length;
        if (characters > MOST_CHARACTERS) throw uploadRefusals.cells_too_long();
        if (rows.length > MOST_PEOPLE) throw uploadRefusals.too_many_people_rows({ most: MOST_PEOPLE });
      },
    },
  );
  return { columns: columns.map(({ name }) => name), rows, hiddenRows };
}

/** The status of a person whose status column holds such a cell. An unknown one is left for the import to refuse. */
const personStatusOf = (cell: string, { statuses }: Mapping) =>
  ({ active: 'active', inactive: 'deactivated', suspended: cell })[statusOf(cell, statuses) ?? 'suspended'];

function rowOf(
  { number: line, cells, faults }: SheetRow,
  width: number,
  columns: { name: string; index: number }[],
  mapping: Mapping,
): Row {
  const fault = columns
    .map(({ index }) => faults.find(({ column }) => column === index))
    .find((found) => found !== undefined);
  const read = (name: string, cell: string) => (name === 'status' ? personStatusOf(cell, mapping) : cell);
  const row = {
    line,
    cells: new Map(columns.map(({ name, index }) => [name, read(name, cells[index] ?? '')])),
  };
  if (fault !== undefined) return { ...row, problem: sentenceIn(fault) };
  if (cells.slice(width).some((cell) => cell !== ''))
    return { ...row, problem: rowSentences.row_cells_of_header({ count: cells.length, width }) };
  return [...row.cells.values()].some((cell) => cell.includes('\0'))
    ? { ...row, problem: rowSentences.row_nul() }
    : row;
}
