import type { OrgTx } from '#kit/database.ts';
import { type CallTx, mayHaveEmail } from '#kit/identity.ts';
import { problem, sentenceOf } from '#kit/issues.ts';
import { fieldNamed } from '#kit/nfc.ts';
import { pacer } from '#kit/pacer.ts';
import { storedSpelling } from '../../../../protocol/src/person-attributes.ts';
import { findByEmails, type Identity, identify, type Line, type Matching } from './identify.ts';
import { MANAGER_EMAIL } from './import-lines.ts';
import { type Draft, draftChange, draftNew, type Profile, type ProfileChange } from './person.ts';
import { INVALID_EMAIL } from './save.ts';
import { personRefusals, rowSentences } from './sentences.ts';
import { settle, type Wish } from './settle.ts';

/* Finds the people of the rows of an import, and drafts their changes. */

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
export async function draftsOf(
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
    if (refusal !== undefined && line.problems.length === 0) line.problems.push(refusal.sentence);
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
      : draftChange(stored, { ...kept(stored, inStoredSpelling(stored, change)), ...email });
  if (!ends && line.email !== '' && !mayHaveEmail(draft.after.email, stored?.email))
    line.problems.unshift(
      rowSentences.row_field_issue({ field: 'email', problem: sentenceOf([{ ...INVALID_EMAIL, path: '' }]) }),
    );
  return { line, draft, ends: ends && line.problems.length === 0 };
}

/** Returns the changes of a line: those that fit if it ends access, and otherwise all or, if it has a problem, none. */
function valid(line: Line, ends: boolean): ProfileChange {
  if (!ends)
    line.problems.push(
      ...line.unfit.map(({ attribute, reason }) =>
        rowSentences.row_field({ field: attribute, problem: reason }),
      ),
    );
  return line.problems.length > 0 ? {} : fitting(line);
}

/**
 * Names the attributes of a change as the person has them, so that a file does not add a second spelling. A file with two spellings
 * of one attribute keeps both.
 */
function inStoredSpelling({ attributes: stored }: Profile, change: ProfileChange): ProfileChange {
  const entries = Object.entries(change.attributes ?? {});
  const spellings = entries.map(([name]) => storedSpelling(stored, name));
  const isOnly = (spelling: string) => spellings.indexOf(spelling) === spellings.lastIndexOf(spelling);
  const named = entries.map(([name, value], index) => {
    const spelling = spellings[index] as string;
    return [isOnly(spelling) ? spelling : name, value];
  });
  return { ...change, attributes: Object.fromEntries(named) };
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
      line.unfit.push({
        attribute: MANAGER_EMAIL,
        reason: rowSentences.row_unknown_manager({ email: line.managerEmail }),
      });
    else line.change.manager = manager;
  }
}

function requireValidLines(lines: Line[]): void {
  const bad = lines.filter(({ problems }) => problems.length > 0);
  if (bad.length === 0) return;
  const issues = bad.map(({ line, problems }) =>
    problem(`line ${line}`, 'bad_row', rowSentences.row_problems({ problems })),
  );
  const [first] = bad as [Line, ...Line[]];
  throw personRefusals.rows_invalid(
    { bad: bad.length, count: lines.length, line: first.line, problems: first.problems },
    { issues },
  );
}
