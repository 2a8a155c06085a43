import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Row } from '../people/csv.ts';
import { importRows } from '../people/import.ts';
import type { PeopleHook } from '../people/save.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, DomainError, invalid, notFound } from '../platform/errors.ts';
import type { Issue } from '../platform/issues.ts';
import { mapInTurns } from '../platform/pacer.ts';
import { endUpload, requirePlanned } from './apply.ts';
import { optionsOf, requireSound } from './check.ts';
import { ATTRIBUTE, type Mapping, PERSON_FIELDS } from './mapping.ts';
import { type Problem, storable } from './problem.ts';
import * as queries from './queries.ts';
import { readInWorker } from './read/reader.ts';
import type { SheetRow } from './read/sheet.ts';
import { requireOpen } from './receive.ts';
import { type Upload, uploadOf } from './upload.ts';

export interface ImportTools {
  db: Db;
  onPeople: readonly PeopleHook[];
}

/** As many as a CSV import takes. */
const MOST_PEOPLE = 100_000;
const PROBLEMS_AT_ONCE = 500;

/** Checks the rows of a file of people with this mapping, and keeps the changes that importing them would make. */
export async function checkPeople(
  { db, onPeople }: ImportTools,
  principal: Principal,
  cause: RequestCause,
  id: string,
  mapping: Mapping,
): Promise<Upload> {
  const { orgId } = principal;
  const upload = await uploadOf(db, orgId, null, id);
  requireOpen(upload);
  const headers = upload.content.columns.map(({ name }) => name);
  requireSound(mapping, headers, [...Object.keys(PERSON_FIELDS), ATTRIBUTE], 'email');
  const file = await readPeople(db, orgId, upload, mapping);
  const rows = file.rows.length;
  if (rows === 0) throw invalid('The file has no rows under its header. Nothing would be imported.');
  let digest = '';
  const confirm = (planned: string) => {
    digest = planned;
  };
  const outcome = await importRows(db, principal, cause, onPeople, file, { dryRun: true, confirm }).catch(
    issuesOf,
  );
  return transaction(db, async (tx) => {
    const current = await queries.lockUpload(tx, orgId, id);
    if (current === undefined) throw notFound('Upload');
    requireOpen(current);
    await queries.clearProblems(tx, orgId, id);
    await queries.setChecking(tx, orgId, id, mapping, cause);
    if (Array.isArray(outcome)) {
      const problems = outcome.map(problemOf);
      for (let start = 0; start < problems.length; start += PROBLEMS_AT_ONCE)
        await queries.insertProblems(tx, orgId, id, start, problems.slice(start, start + PROBLEMS_AT_ONCE));
      await queries.setChecked(tx, orgId, id, { status: 'invalid', rows, problems: problems.length });
    } else
      await queries.setChecked(tx, orgId, id, {
        status: 'planned',
        rows,
        problems: 0,
        result: { ...outcome, digest },
      });
    return uploadOf(tx, orgId, null, id);
  });
}

/** Imports the people of a checked file. Throws 409 if the changes are no longer those of the check. */
export async function applyPeople(
  { db, onPeople }: ImportTools,
  principal: Principal,
  cause: RequestCause,
  id: string,
): Promise<Upload> {
  const { orgId } = principal;
  const upload = await uploadOf(db, orgId, null, id);
  if (upload.status === 'applied') return upload;
  requirePlanned(upload);
  const file = await readPeople(db, orgId, upload, upload.mapping as Mapping);
  const confirm = (digest: string) => {
    if (digest !== upload.result?.digest) throw changed();
  };
  try {
    const result = await importRows(db, principal, cause, onPeople, file, { dryRun: false, confirm });
    return await endUpload(db, orgId, null, upload, cause, 'applied', result);
  } catch (error) {
    // Of two people who apply the same upload, the second finds it applied.
    const now = await uploadOf(db, orgId, null, id);
    if (now.status === 'applied') return now;
    throw hasIssues(error) ? changed() : error;
  }
}

const changed = () => conflict('People have changed since the rows were checked. Check them again.');

/** Returns the invalid rows of an import that was refused because of them. */
function issuesOf(error: unknown): Issue[] {
  if (hasIssues(error)) return error.issues;
  throw error;
}

const hasIssues = (error: unknown): error is DomainError & { issues: Issue[] } =>
  error instanceof DomainError && error.code === 'invalid' && error.issues !== undefined;

/** An import names rows as `line 7`, and may begin its sentence with the field. */
function problemOf({ path, message }: Issue): Problem {
  const [, column = '', rest = message] = /^(\w+): (.*)$/s.exec(message) ?? [];
  return storable({ row: Number(/\d+/.exec(path)?.[0] ?? 0), column, value: '', message: rest });
}

/** Reads the rows with the names of fields and attributes instead of the names of the columns. */
async function readPeople(
  db: Db,
  orgId: string,
  { id, content }: Upload,
  mapping: Mapping,
): Promise<{ columns: string[]; rows: Row[] }> {
  const headers = content.columns.map(({ name }) => name);
  const columns = mapping.columns.map(({ column, field }) => {
    if (field === ATTRIBUTE && isField(column))
      throw invalid(
        `The column "${column}" cannot be an attribute: a field has this name. Choose the field.`,
      );
    return { name: field === ATTRIBUTE ? column : field, index: headers.indexOf(column) };
  });
  const rows: Row[] = [];
  await readInWorker(
    { read: 'rows', options: optionsOf(content) },
    {
      chunk: (number) => queries.findChunk(db, orgId, id, number),
      take: async (items) => {
        rows.push(...(await mapInTurns(items as SheetRow[], (row) => rowOf(row, headers.length, columns))));
        if (rows.length > MOST_PEOPLE)
          throw invalid(`The file has more than ${MOST_PEOPLE} rows. Split it and import the parts.`);
      },
    },
  );
  return { columns: columns.map(({ name }) => name), rows };
}

const isField = (column: string) =>
  column.toLowerCase() === 'manager' || column.toLowerCase() in PERSON_FIELDS;

function rowOf(
  { number: line, cells, faults }: SheetRow,
  width: number,
  columns: { name: string; index: number }[],
): Row {
  const problem = columns
    .map(({ index }) => faults.find(({ column }) => column === index)?.message)
    .find((message) => message !== undefined);
  const row = { line, cells: new Map(columns.map(({ name, index }) => [name, cells[index] ?? ''])) };
  if (problem !== undefined) return { ...row, problem };
  if (cells.slice(width).some((cell) => cell !== ''))
    return { ...row, problem: `The row has ${cells.length} cells, and the header ${width}.` };
  return [...row.cells.values()].some((cell) => cell.includes('\0'))
    ? { ...row, problem: 'The row contains a NUL character.' }
    : row;
}
