import { randomUUIDv7 } from 'node:crypto';
import type { Static } from 'typebox';
import { requireAllApps } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { DomainError, invalid } from '../platform/errors.ts';
import { issuesOf, validatorCompiler } from '../platform/http/validation.ts';
import { type Row, readCsv } from './csv.ts';
import {
  changesOf,
  contradictionIn,
  type Draft,
  draftChange,
  draftNew,
  type ProfileChange,
} from './person.ts';
import * as queries from './queries.ts';
import { type Caller, type PeopleHook, refusalsOf, save, tell } from './save.ts';
import { type ImportResult, NewPerson } from './schemas.ts';

const MOST_CHANGES_SHOWN = 1000;

/** An empty cell empties these, and leaves the other fields as they are. */
const CAN_BE_EMPTY = ['first_name', 'last_name'];
const CAN_BE_NULL = ['manager', 'start_date', 'end_date'];
const ALWAYS_FILLED = ['username', 'email', 'identity_type', 'domain_type', 'status', 'role'];
const MANAGER_EMAIL = 'manager_email';
const FIELDS = [...CAN_BE_EMPTY, ...CAN_BE_NULL, ...ALWAYS_FILLED, MANAGER_EMAIL];

/** What a row says, and what is wrong with it. */
interface Line {
  line: number;
  email: string;
  change: ProfileChange;
  managerEmail: string | undefined;
  problems: string[];
}

/**
 * Creates and updates the people of a CSV file, found by their email (governance.md "People"): all of them, or none
 * where a row is bad, and then every bad one is named. A dry run answers the same and writes nothing.
 */
export async function importPeople(
  db: Db,
  caller: Caller,
  hooks: readonly PeopleHook[],
  text: string,
  { dryRun }: { dryRun: boolean },
): Promise<Static<typeof ImportResult>> {
  requireAllApps(caller.principal, 'importing people');
  const lines = readLines(text);
  // Run again after a deadlock, it finds and resolves the same in `lines`.
  return transaction(db, async (tx) => {
    await queries.lockPeople(tx, caller.principal.orgId);
    await queries.analyzePeople(tx);
    const drafts = await draftsOf(tx, caller, lines);
    if (!dryRun) await tell(tx, caller.principal.orgId, await save(tx, caller, [...drafts.values()]), hooks);
    return summary(drafts, dryRun);
  });
}

/** The first line names the columns. A name is a field's, whatever its case, or that of an attribute. */
function readLines(text: string): Line[] {
  const { columns, rows } = readCsv(text);
  const names = new Map(columns.map((column) => [column, nameOf(column)]));
  if (![...names.values()].includes('email')) {
    throw invalid(`The first line must name the columns, one of them email. It names ${columns.join(', ')}.`);
  }
  for (const name of ['external_uuid', 'attributes']) {
    if (columns.includes(name))
      throw invalid(`The column ${name} cannot be imported. People are found by email; leave it out.`);
  }
  return rows.map((row) => readRow(row, names));
}

function nameOf(column: string): string {
  const field = column.toLowerCase();
  return FIELDS.includes(field) ? field : column;
}

function readRow({ line, cells, problem }: Row, names: Map<string, string>): Line {
  const fields: Record<string, unknown> = {};
  const attributes: [string, string | null][] = [];
  let managerEmail: string | undefined;
  for (const [column, cell] of cells) {
    const name = names.get(column) as string;
    if (name === MANAGER_EMAIL) {
      if (cell === '') fields.manager = null;
      else managerEmail = cell;
    } else if (!FIELDS.includes(name)) attributes.push([name, cell === '' ? null : cell]);
    else if (cell !== '' || CAN_BE_EMPTY.includes(name)) fields[name] = cell;
    else if (CAN_BE_NULL.includes(name)) fields[name] = null;
  }
  const change = { ...fields, attributes: Object.fromEntries(attributes) } as ProfileChange;
  const problems = problem === undefined ? problemsOf(change) : [problem];
  // What cannot be told apart is not looked up either.
  return { line, email: problem === undefined ? (change.email ?? '') : '', change, managerEmail, problems };
}

const validate = validatorCompiler({ schema: NewPerson, method: '', url: '', httpPart: 'body' });

function problemsOf(change: ProfileChange): string[] {
  const { error } = validate(change) as { error?: Parameters<typeof issuesOf>[0] };
  const contradiction = contradictionIn(change);
  return [
    ...(error === undefined ? [] : issuesOf(error).map(({ path, message }) => `${path}: ${message}`)),
    ...(contradiction === undefined ? [] : [contradiction]),
  ];
}

/** What each line makes of its person. Throws where one of them is bad. */
async function draftsOf(tx: Tx, { principal }: Caller, lines: Line[]): Promise<Map<Line, Draft>> {
  const { orgId } = principal;
  const found = await queries.findByEmails(tx, orgId, emailsOf(lines));
  const people = found.map((row) => ({ key: row.key, id: row.id ?? randomUUIDv7(), stored: row }));
  const firstWith = new Map<string, { line: number; id: string }>();
  for (const [index, line] of lines.entries()) {
    const { key, id } = people[index] as (typeof people)[number];
    const first = firstWith.get(key);
    if (line.email === '') continue;
    if (first === undefined) firstWith.set(key, { line: line.line, id });
    else line.problems.push(`line ${first.line} has the same email`);
  }
  await resolveManagers(tx, orgId, lines, firstWith);
  const drafts = new Map<Line, Draft>();
  for (const [index, line] of lines.entries()) {
    const { id, stored } = people[index] as (typeof people)[number];
    // People are found by their email; a file does not change how it is spelled. What is bad is not looked into.
    const { email: _, ...change } = line.problems.length === 0 ? line.change : {};
    const draft = stored.id === null ? draftNew(id, line.email, change) : draftChange(stored, change);
    if (line.email !== '') drafts.set(line, draft);
  }
  const refusals = await refusalsOf(tx, principal, [...drafts.values()]);
  for (const [line, { after }] of drafts) {
    const problem = refusals.get(after.id)?.message ?? contradictionIn(after);
    if (problem !== undefined && line.problems.length === 0) line.problems.push(problem);
  }
  refuseBadLines(lines);
  return drafts;
}

const emailsOf = (lines: Line[]) => lines.map(({ email }) => email);

/** `manager_email` is somebody's of the organization, or on another line of the file. */
async function resolveManagers(
  tx: Tx,
  orgId: string,
  lines: Line[],
  inFile: ReadonlyMap<string, { id: string }>,
): Promise<void> {
  const emails = [...new Set(lines.flatMap(({ managerEmail }) => managerEmail ?? []))];
  const found = await queries.findByEmails(tx, orgId, emails);
  const idOf = new Map(found.map(({ key, id }, index) => [emails[index], inFile.get(key)?.id ?? id]));
  for (const line of lines) {
    if (line.managerEmail === undefined) continue;
    const manager = idOf.get(line.managerEmail) ?? null;
    if (manager === null) line.problems.push(`manager_email: nobody has the email ${line.managerEmail}`);
    line.change.manager = manager;
  }
}

function refuseBadLines(lines: Line[]): void {
  const bad = lines.filter(({ problems }) => problems.length > 0);
  if (bad.length === 0) return;
  const issues = bad.map(({ line, problems }) => ({
    path: `line ${line}`,
    code: 'bad_row' as const,
    message: problems.join('; '),
  }));
  const first = issues[0];
  const detail = `${bad.length} of ${lines.length} rows are bad; nothing was imported. ${first?.path}: ${first?.message}`;
  throw new DomainError('invalid', detail, { issues });
}

function summary(drafts: Map<Line, Draft>, dryRun: boolean): Static<typeof ImportResult> {
  const all = [...drafts].map(([{ line }, draft]) => ({
    line,
    email: draft.after.email,
    action: draft.before === undefined ? 'created' : 'updated',
    changes: changesOf(draft),
  }));
  const changed = all.filter(({ action, changes }) => action === 'created' || changes.length > 0);
  const created = changed.filter(({ action }) => action === 'created').length;
  return {
    dry_run: dryRun,
    created,
    updated: changed.length - created,
    unchanged: all.length - changed.length,
    changes: changed.slice(0, MOST_CHANGES_SHOWN),
  };
}
