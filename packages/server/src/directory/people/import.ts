import { createHash } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import { counted } from '../../kit/counted.ts';
import type { Org, OrgTx } from '../../kit/database/organization.ts';
import { transaction } from '../../kit/database/transaction.ts';
import { DomainError, invalid } from '../../kit/errors.ts';
import { issuesOf, validatorCompiler } from '../../kit/http/validation.ts';
import type { Call, CallTx } from '../../kit/identity/call.ts';
import type { RequestCause } from '../../kit/identity/cause.ts';
import { findPersonKey } from '../../kit/identity/organization-facts.ts';
import { mayHaveEmail } from '../../kit/identity/person.ts';
import { requireAllApps } from '../../kit/identity/principal.ts';
import { mapInTurns, pacer } from '../../kit/pacer.ts';
import type { NewEvent } from '../../log/events/record.ts';
import { type Row, readCsv } from './csv.ts';
import {
  findByEmails,
  type Identity,
  identify,
  type Line,
  type Matching,
  requireMatchable,
} from './identify.ts';
import {
  changesOf,
  contradictionIn,
  type Draft,
  draftChange,
  draftNew,
  excessIn,
  type Profile,
  type ProfileChange,
} from './person.ts';
import * as queries from './queries/people.ts';
import { AnyEmail, type ImportResult, NewPerson } from './routes/schemas.ts';
import { forgetSignInOf, INVALID_EMAIL, recordPeopleEvents, refusalsOf, runHooks, save } from './save.ts';
import { endFormer, passEmailOn } from './succession.ts';

const MOST_CHANGES_SHOWN = 1000;

// An empty cell clears a field of the first two lists, and leaves a field of the third unchanged.
const CLEARED_TO_EMPTY = ['first_name', 'last_name'];
const CLEARED_TO_NULL = ['manager', 'start_date', 'end_date'];
const NEVER_CLEARED = ['username', 'email', 'identity_type', 'domain_type', 'status', 'role'];
const MANAGER_EMAIL = 'manager_email';
const FIELDS = [...CLEARED_TO_EMPTY, ...CLEARED_TO_NULL, ...NEVER_CLEARED, MANAGER_EMAIL];

type ChangedLine = Static<typeof ImportResult>['changes'][number];

/**
 * Creates and updates the people of a CSV file (protocol 10). Imports all rows or none: if any row is invalid, the 400 names
 * every one of them. A dry run returns the same result and writes nothing.
 */
export async function importPeople(
  call: Call,
  file: Buffer,
  options: Options,
): Promise<Static<typeof ImportResult>> {
  requireAllApps(call.principal, 'importing people');
  const lines = await readCsv(file, (columns) => lineReader(columns, options.match));
  return importLines(call, lines, options);
}

interface Options {
  dryRun: boolean;
  /** By what people are found: `email`, or the column of an attribute that says who somebody is (D63). */
  match: string;
  /**
   * Sees a digest of the changes, all of them, before they are made, while nobody else can change people. Equal digests mean
   * equal changes. An error cancels the import.
   */
  confirm?: (digest: string) => void;
}

/** Does the same with rows that were read elsewhere. `columns` are the names of a CSV file's first line. */
export async function importRows(
  call: Call,
  { columns, rows }: { columns: string[]; rows: Row[] },
  options: Options,
): Promise<Static<typeof ImportResult>> {
  requireAllApps(call.principal, 'importing people');
  const lines = await mapInTurns(rows, lineReader(columns, options.match));
  return importLines(call, lines, options);
}

async function importLines(
  call: Call,
  lines: Line[],
  { dryRun, match, confirm }: Options,
): Promise<Static<typeof ImportResult>> {
  // The transaction may run again after a deadlock. It then finds the same problems, since `lines` keep theirs.
  return transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    await queries.analyzePeople(tx.db);
    const personKey = await findPersonKey(tx);
    const { drafts, formers, uncertain } = await draftsOf(tx, lines, { by: match, personKey });
    const changed = await nameManagers(tx, drafts, await changedLines(drafts));
    const result = summarize(drafts, changed, dryRun);
    confirm?.(await digestOf(changed));
    if (!dryRun) {
      for (const [former, id] of formers) await passEmailOn(tx, former, id);
      const events = await save(tx, call.cause, [...drafts.values()]);
      for (const [former, id] of formers) events.push(...(await endFormer(tx, former, id)));
      events.push(...(await forgetSignInOfReturned(tx, uncertain)));
      events.push(imported(call, call.cause, result));
      await recordPeopleEvents(tx, await runHooks(tx, events));
    }
    return result;
  });
}

/** Removes the sign-in of people who return by a name that can pass to somebody else (D63). */
async function forgetSignInOfReturned(tx: CallTx, drafts: Draft[]): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const { before, after } of drafts)
    if (before?.status === 'deactivated' && after.status === 'active')
      events.push(...(await forgetSignInOf(tx, after)));
  return events;
}

const imported = (
  org: Org,
  { actor, source }: RequestCause,
  { created, updated, unchanged }: Static<typeof ImportResult>,
): NewEvent => ({
  type: 'person.imported',
  actor,
  subject: { type: 'system', uuid: org.orgId },
  source,
  payload: { created, updated, unchanged },
});

/** The columns are named as fields, in any case, or as attributes. */
function lineReader(columns: string[], match: string): (row: Row) => Line {
  const names = new Map(columns.map((column) => [column, fieldOrAttribute(column)]));
  requireMatchable(match, columns, FIELDS);
  if (match === 'email' && ![...names.values()].includes('email')) {
    throw invalid(`The first line must name the columns, including email. It names ${columns.join(', ')}.`);
  }
  for (const name of ['external_uuid', 'attributes']) {
    if (columns.includes(name))
      throw invalid(`The column ${name} cannot be imported. Remove it: people are found by ${match}.`);
  }
  const validate = match === 'email' ? validateNew : validateChange;
  return (row) => readRow(row, names, validate);
}

function fieldOrAttribute(column: string): string {
  const field = column.toLowerCase();
  return FIELDS.includes(field) ? field : column;
}

function readRow(
  { line, cells, problem }: Row,
  names: Map<string, string>,
  validate: typeof validateNew,
): Line {
  const fields: Record<string, unknown> = {};
  const attributes: [string, string | null][] = [];
  let managerEmail: string | undefined;
  for (const [column, cell] of cells) {
    const name = names.get(column) as string;
    if (name === MANAGER_EMAIL) {
      if (cell === '') fields.manager = null;
      else managerEmail = cell;
    } else if (!FIELDS.includes(name)) attributes.push([name, cell === '' ? null : cell]);
    else if (cell !== '' || CLEARED_TO_EMPTY.includes(name)) fields[name] = cell;
    else if (CLEARED_TO_NULL.includes(name)) fields[name] = null;
  }
  const change = { ...fields, attributes: Object.fromEntries(attributes) } as ProfileChange;
  const problems = problem === undefined ? problemsOf(change, validate) : [problem];
  // Without columns there is no email to look up.
  return { line, email: problem === undefined ? (change.email ?? '') : '', change, managerEmail, problems };
}

const validatorOf = (schema: TSchema) => validatorCompiler({ schema, method: '', url: '', httpPart: 'body' });
const ImportedPerson = Type.Object({ ...NewPerson.properties, email: AnyEmail });
const validateNew = validatorOf(ImportedPerson);
/** Rows that are found by an attribute may lack an email. */
const validateChange = validatorOf(Type.Partial(ImportedPerson));

/** Spreadsheets show an empty or wrong cell with the format of a date as a day around 1900. */
const FIRST_DAY = '1950-01-01';
const DAYS = ['start_date', 'end_date'] as const;

function problemsOf(change: ProfileChange, validate: typeof validateNew): string[] {
  const { error } = validate(change) as { error?: Parameters<typeof issuesOf>[0] };
  const issues = error === undefined ? [] : issuesOf(error);
  const contradiction = error === undefined ? contradictionIn(change) : undefined;
  const early = DAYS.filter(
    (day) => !issues.some(({ path }) => path === day) && (change[day] ?? FIRST_DAY) < FIRST_DAY,
  );
  return [
    ...issues.map(({ path, message }) =>
      DAYS.some((day) => day === path)
        ? `${path}: This is not a day. Write it as YYYY-MM-DD, such as 2026-03-31.`
        : `${path}: ${message}.`,
    ),
    ...early.map((day) => `${day}: ${change[day]} is before 1950. Correct the day, or leave the cell empty.`),
    ...(contradiction === undefined ? [] : [contradiction]),
  ];
}

/**
 * Drafts each line's person. `formers` are people whose email passes to a new one, with its id;
 * `uncertain` are the drafts of people who were found by a name. Throws 400 if any line is invalid.
 */
async function draftsOf(
  tx: CallTx,
  lines: Line[],
  matching: Matching,
): Promise<{ drafts: Map<Line, Draft>; formers: [Profile, string][]; uncertain: Draft[] }> {
  const identities = await identify(tx, lines, matching);
  await resolveManagers(tx, lines, identities);
  const pace = pacer();
  const drafts = new Map<Line, Draft>();
  const formers: [Profile, string][] = [];
  for (const [line, { id, stored, renames, former }] of identities) {
    // An invalid line changes nothing. An email that is the same keeps its stored spelling.
    const { email: _, ...change } = line.problems.length === 0 ? line.change : {};
    const draft =
      stored === undefined
        ? draftNew(id, line.email, change)
        : draftChange(
            stored,
            renames ? { ...kept(stored, change), email: line.email } : kept(stored, change),
          );
    drafts.set(line, draft);
    if (line.email !== '' && !mayHaveEmail(draft.after.email, stored?.email))
      line.problems.unshift(`email: ${INVALID_EMAIL.message}.`);
    if (former !== undefined) formers.push([former, id]);
    await pace();
  }
  const refusals = await refusalsOf(tx, [...drafts.values()]);
  for (const [line, draft] of drafts) {
    const problem = refusals.get(draft.after.id)?.message ?? contradictionIn(draft.after) ?? excessIn(draft);
    if (problem !== undefined && line.problems.length === 0) line.problems.push(problem);
    await pace();
  }
  requireValidLines(lines);
  const uncertain = [...drafts].flatMap(([line, draft]) => (identities.get(line)?.isCertain ? [] : [draft]));
  return { drafts, formers, uncertain };
}

/**
 * Leaves out attributes whose cell is how an export writes the stored value: a file holds numbers and lists as text, and an empty text
 * as an empty cell.
 */
function kept({ attributes: stored }: Profile, change: ProfileChange): ProfileChange {
  const isKept = ([name, cell]: [string, unknown]) =>
    Object.hasOwn(stored, name) && (cell ?? '') === cellOf(stored[name]);
  const attributes = Object.entries(change.attributes ?? {}).filter((entry) => !isKept(entry));
  return { ...change, attributes: Object.fromEntries(attributes) };
}

const cellOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Resolves `manager_email` to a person of the organization or of the file. */
async function resolveManagers(
  tx: OrgTx,
  lines: Line[],
  identities: ReadonlyMap<Line, Identity>,
): Promise<void> {
  const inFile = new Map([...identities.values()].map(({ emailKey, id }) => [emailKey, id]));
  const emails = [...new Set(lines.flatMap(({ managerEmail }) => managerEmail ?? []))];
  const found = await findByEmails(tx, emails);
  const idOf = new Map(found.map(({ key, stored }, index) => [emails[index], inFile.get(key) ?? stored?.id]));
  for (const line of lines) {
    if (line.managerEmail === undefined) continue;
    const manager = idOf.get(line.managerEmail) ?? null;
    if (manager === null) line.problems.push(`manager_email: No person has the email ${line.managerEmail}.`);
    line.change.manager = manager;
  }
}

function requireValidLines(lines: Line[]): void {
  const bad = lines.filter(({ problems }) => problems.length > 0);
  if (bad.length === 0) return;
  const issues = bad.map(({ line, problems }) => ({
    path: `line ${line}`,
    code: 'bad_row' as const,
    message: problems.join(' '),
  }));
  const first = issues[0];
  const detail = `${bad.length} of ${counted(lines.length, 'row')} ${bad.length === 1 ? 'is' : 'are'} invalid, so nothing was imported. ${first?.path}: ${first?.message}`;
  throw new DomainError('invalid', detail, { issues });
}

/** Replaces the managers' ids, which nobody can read, by their emails, as the column manager_email names them. */
async function nameManagers(
  tx: OrgTx,
  drafts: Map<Line, Draft>,
  lines: ChangedLine[],
): Promise<ChangedLine[]> {
  const isManager = ({ field }: { field: string }) => field === 'manager';
  const ids = new Set(
    lines.flatMap(({ changes }) => changes.filter(isManager).flatMap(({ from, to }) => [from, to])),
  );
  if (ids.size === 0) return lines;
  const emails = await queries.emailsOf(
    tx,
    [...ids].filter((id) => typeof id === 'string'),
  );
  for (const { after } of drafts.values()) emails.set(after.id, after.email);
  const emailOf = (id: unknown) => emails.get(String(id)) ?? null;
  return mapInTurns(lines, (line) => ({
    ...line,
    changes: line.changes.map((change) =>
      isManager(change)
        ? { field: MANAGER_EMAIL, from: emailOf(change.from), to: emailOf(change.to) }
        : change,
    ),
  }));
}

async function changedLines(drafts: Map<Line, Draft>): Promise<ChangedLine[]> {
  const all = await mapInTurns(drafts, ([{ line }, draft]) => ({
    line,
    email: draft.after.email,
    action: draft.before === undefined ? ('created' as const) : ('updated' as const),
    changes: changesOf(draft),
  }));
  return all.filter(({ action, changes }) => action === 'created' || changes.length > 0);
}

function summarize(
  { size }: Map<Line, Draft>,
  changed: ChangedLine[],
  dryRun: boolean,
): Static<typeof ImportResult> {
  const created = changed.filter(({ action }) => action === 'created').length;
  return {
    dry_run: dryRun,
    created,
    updated: changed.length - created,
    unchanged: size - changed.length,
    changes: changed.slice(0, MOST_CHANGES_SHOWN),
  };
}

async function digestOf(lines: ChangedLine[]): Promise<string> {
  const hash = createHash('sha256');
  const pace = pacer();
  for (const line of lines) {
    hash.update(JSON.stringify(line));
    await pace();
  }
  return hash.digest('hex');
}
