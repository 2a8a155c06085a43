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
import { fieldNamed } from '../../kit/nfc.ts';
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
  type Draft,
  draftChange,
  draftNew,
  type Profile,
  type ProfileChange,
  valuesOf,
} from './person.ts';
import * as queries from './queries/people.ts';
import { AnyEmail, type ImportResult, NewPerson } from './routes/schemas.ts';
import { forgetSignInOf, INVALID_EMAIL, recordPeopleEvents, runHooks, save } from './save.ts';
import { type Left, settle, type Wish } from './settle.ts';
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
 * every one of them. A row that ends access is applied without the cells that do not fit (D79). A dry run returns the same result
 * and writes nothing.
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
  given: Line[],
  { dryRun, match, confirm }: Options,
): Promise<Static<typeof ImportResult>> {
  return transaction(call, async (tx) => {
    await queries.lockPeople(tx);
    // The transaction may run again after a deadlock, with the lines as they were read.
    const lines = await mapInTurns(given, (line) => ({
      ...line,
      change: { ...line.change },
      problems: [...line.problems],
      unfit: [...line.unfit],
    }));
    await queries.analyzePeople(tx.db);
    const personKey = await findPersonKey(tx);
    const { drafts, formers, uncertain } = await draftsOf(tx, lines, { by: match, personKey });
    const changed = await nameManagers(tx, drafts, await changedLines(drafts, formers));
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
  const read = { line, change, managerEmail };
  // Without columns there is no email to look up.
  if (problem !== undefined) return { ...read, email: '', problems: [problem], unfit: [] };
  return { ...read, email: change.email ?? '', problems: [], unfit: unfitIn(change, validate) };
}

const validatorOf = (schema: TSchema) => validatorCompiler({ schema, method: '', url: '', httpPart: 'body' });
const ImportedPerson = Type.Object({ ...NewPerson.properties, email: AnyEmail });
const validateNew = validatorOf(ImportedPerson);
/** Rows that are found by an attribute may lack an email. */
const validateChange = validatorOf(Type.Partial(ImportedPerson));

/** Spreadsheets show an empty or wrong cell with the format of a date as a day around 1900. */
const FIRST_DAY = '1950-01-01';
const DAYS = ['start_date', 'end_date'] as const;

function unfitIn(change: ProfileChange, validate: typeof validateNew): Left[] {
  const { error } = validate(change) as { error?: Parameters<typeof issuesOf>[0] };
  const issues = error === undefined ? [] : issuesOf(error);
  const early = DAYS.filter(
    (day) => !issues.some(({ path }) => path === day) && (change[day] ?? FIRST_DAY) < FIRST_DAY,
  );
  return [
    ...issues.map(({ path, message }) => ({
      attribute: path,
      reason: DAYS.some((day) => day === path)
        ? 'This is not a day. Write it as YYYY-MM-DD, such as 2026-03-31.'
        : `${message}.`,
    })),
    ...early.map((day) => ({
      attribute: day,
      reason: `${change[day]} is before 1950. Correct the day, or leave the cell empty.`,
    })),
  ];
}

/** Returns the changes of a line that fit. */
function fitting({ change, unfit }: Line): ProfileChange {
  const isFit = ([name]: [string, unknown]) => !unfit.some(({ attribute }) => attribute === name);
  return Object.fromEntries(Object.entries(change).filter(isFit));
}

/** Whether a line ends the access of a known person. The email by which it was found must then be valid, and the status. */
const endsAccess = ({ change, unfit }: Line, { stored }: Identity, by: string): boolean =>
  stored !== undefined &&
  change.status === 'deactivated' &&
  !unfit.some(({ attribute }) => attribute === 'status' || (attribute === 'email' && by === 'email'));

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
  const wishes: (Wish & { line: Line })[] = [];
  const formers: [Profile, string][] = [];
  for (const [line, identity] of identities) {
    wishes.push(wishOf(line, identity, matching.by));
    if (identity.former !== undefined) formers.push([identity.former, identity.id]);
    await pace();
  }
  // Without a column, a line has no person.
  for (const line of lines) if (!identities.has(line)) valid(line, false);
  const drafts = new Map<Line, Draft>();
  for (const [index, { draft, left, refusal }] of (await settle(tx, wishes, { by: 'caller' })).entries()) {
    const { line, ends } = wishes[index] as (typeof wishes)[number];
    if (refusal !== undefined && line.problems.length === 0) line.problems.push(refusal.message);
    line.unfit = ends ? [...line.unfit, ...left] : [];
    drafts.set(line, draft);
    await pace();
  }
  requireValidLines(lines);
  const uncertain = [...drafts].flatMap(([line, draft]) => (identities.get(line)?.isCertain ? [] : [draft]));
  return { drafts, formers, uncertain };
}

/** Returns what a line asks for. Adds the cells that do not fit to its problems, unless it ends access. */
function wishOf(line: Line, identity: Identity, by: string): Wish & { line: Line } {
  const { id, stored, renames } = identity;
  const ends = endsAccess(line, identity, by);
  const { email: newEmail, ...change } = valid(line, ends);
  // An email that is the same keeps its stored spelling.
  const email = renames && newEmail !== undefined ? { email: newEmail } : {};
  const draft =
    stored === undefined
      ? draftNew(id, line.email, change)
      : draftChange(stored, { ...kept(stored, change), ...email });
  if (!ends && line.email !== '' && !mayHaveEmail(draft.after.email, stored?.email))
    line.problems.unshift(`email: ${INVALID_EMAIL.message}.`);
  return { line, draft, ends: ends && line.problems.length === 0 };
}

/** Returns the changes of a line: those that fit if it ends access, and otherwise all or, if it has a problem, none. */
function valid(line: Line, ends: boolean): ProfileChange {
  if (!ends) line.problems.push(...line.unfit.map(({ attribute, reason }) => `${attribute}: ${reason}`));
  return line.problems.length > 0 ? {} : fitting(line);
}

/**
 * Leaves out attributes whose cell is how an export writes the stored value: a file holds numbers and lists as text, and an empty text
 * as an empty cell.
 */
function kept({ attributes: stored }: Profile, change: ProfileChange): ProfileChange {
  const isKept = ([column, cell]: [string, unknown]) => {
    const name = fieldNamed(stored, column);
    return Object.hasOwn(stored, name) && (cell ?? '') === cellOf(stored[name]);
  };
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
    const manager = idOf.get(line.managerEmail);
    if (manager === undefined)
      line.unfit.push({ attribute: MANAGER_EMAIL, reason: `No person has the email ${line.managerEmail}.` });
    else line.change.manager = manager;
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

/** `formers` are those whose email passes to a new person. */
async function changedLines(
  drafts: Map<Line, Draft>,
  formers: readonly [Profile, string][],
): Promise<ChangedLine[]> {
  const formerOf = new Map(formers.map(([former, id]) => [id, former]));
  let shown = 0;
  const all = await mapInTurns(drafts, ([{ line, unfit }, draft]): ChangedLine => {
    const former = formerOf.get(draft.after.id);
    const isNew = draft.before === undefined;
    const changes = changesOf(draft);
    const action = isNew ? 'created' : changes.length > 0 ? 'updated' : 'unchanged';
    if (action !== 'unchanged' || unfit.length > 0) shown++;
    return {
      line,
      email: draft.after.email,
      action,
      // The values of new people are many, and only the first are shown.
      changes: isNew && shown <= MOST_CHANGES_SHOWN ? valuesOf(draft.after) : changes,
      ...(former && { succeeds: { external_uuid: former.id, email: former.email } }),
      ...(unfit.length > 0 && { ignored: unfit }),
    };
  });
  return all.filter(({ action, ignored }) => action !== 'unchanged' || ignored !== undefined);
}

function summarize(
  { size }: Map<Line, Draft>,
  lines: ChangedLine[],
  dryRun: boolean,
): Static<typeof ImportResult> {
  const created = lines.filter(({ action }) => action === 'created').length;
  const updated = lines.filter(({ action }) => action === 'updated').length;
  return {
    dry_run: dryRun,
    created,
    updated,
    unchanged: size - created - updated,
    changes: lines.slice(0, MOST_CHANGES_SHOWN),
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
