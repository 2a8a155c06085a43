import { randomUUIDv7 } from 'node:crypto';
import type { OrgTx } from '#kit/database.ts';
import type { CallTx } from '#kit/identity.ts';
import { fieldNamed, nfc } from '#kit/nfc.ts';
import { mapInTurns, pacer } from '#kit/pacer.ts';
import type { Sentence, Value } from '#kit/sentences.ts';
import { storedSpelling } from '../../../../protocol/src/person-attributes.ts';
import type { Profile, ProfileChange } from './person.ts';
import * as queries from './queries/people.ts';
import { ownedFields } from './queries/sources.ts';
import { personRefusals, rowSentences } from './sentences.ts';
import type { Left } from './settle.ts';
import { refusalToPassOn } from './succession.ts';

/** A row's change to its person, and its problems. */
export interface Line {
  line: number;
  /** Empty if the row has none. */
  email: string;
  change: ProfileChange;
  managerEmail: string | undefined;
  problems: Sentence[];
  /** Cells that cannot be applied. A row that ends access is applied without them (D79). For the others, they are problems. */
  unfit: Left[];
}

/** By what the rows of a file find their people. */
export interface Matching {
  /** `email`, or the name of an attribute. */
  by: string;
  /** The attribute that says who somebody is, if the organization has named one (D63). */
  personKey: string | null;
}

/** The person of a row. */
export interface Identity {
  id: string;
  /** The row's email in the form in which emails are compared. Empty if it has none. */
  emailKey: string;
  /** Undefined: a new person. */
  stored: Profile | undefined;
  /** Whether the attribute that says who somebody is found the person, and not a name that can pass to somebody else. */
  isCertain: boolean;
  /** Whether the row gives the person another email. */
  renames: boolean;
  /** Somebody who left and has the row's email, which passes to the new person. */
  former: Profile | undefined;
}

const VALUES_AT_ONCE = 2000;

/** Finds the person of each line, and adds to the problems of lines whose person is not certain. */
export function identify(tx: CallTx, lines: Line[], matching: Matching): Promise<Map<Line, Identity>> {
  return matching.by === 'email' ? byEmail(tx, lines, matching) : byAttribute(tx, lines, matching);
}

/** Looks up emails in slices, so that no result takes long to read. */
export async function findByEmails(tx: OrgTx, emails: string[]) {
  const found: { key: string; stored: Profile | undefined }[] = [];
  for (let start = 0; start < emails.length; start += VALUES_AT_ONCE) {
    const rows = await queries.findByEmails(tx, emails.slice(start, start + VALUES_AT_ONCE));
    for (const row of rows) found.push({ key: row.key, stored: row.id === null ? undefined : row });
  }
  return found;
}

async function byEmail(tx: OrgTx, lines: Line[], { personKey }: Matching): Promise<Map<Line, Identity>> {
  const found = await findByEmails(
    tx,
    lines.map(({ email }) => email),
  );
  const keys = personKey === null ? undefined : await keysOf(tx, lines, personKey);
  const emails = onlyOnce('email');
  const identities = new Map<Line, Identity>();
  const pace = pacer();
  for (const [index, line] of lines.entries()) {
    await pace();
    if (line.email === '') continue;
    const { key, stored } = found[index] as (typeof found)[number];
    emails(line, key);
    keys?.requireSame(line, stored);
    identities.set(
      line,
      identityOf(line, key, { holder: stored, stored, isCertain: false, former: undefined }),
    );
  }
  return identities;
}

/** Compares the rows with what is known of the attribute that says who somebody is. */
async function keysOf(tx: OrgTx, lines: Line[], name: string) {
  const holders = await holdersOf(tx, lines, name);
  const keys = onlyOnce(name);
  return {
    requireSame(line: Line, stored: Profile | undefined) {
      const value = valueIn(line.change, name);
      if (value === null) return;
      keys(line, value);
      const other = holders.get(value)?.find(({ id }) => id !== stored?.id);
      const own = stored && valueIn(stored, name);
      if (other !== undefined)
        line.problems.push(rowSentences.row_value_of_another({ name, email: other.email, value }));
      else if (own != null && own !== value)
        line.problems.push(
          rowSentences.row_names_somebody_else({ name, email: String(stored?.email), value: own }),
        );
    },
  };
}

async function byAttribute(
  tx: CallTx,
  lines: Line[],
  { by: name, personKey }: Matching,
): Promise<Map<Line, Identity>> {
  const holders = await holdersOf(tx, lines, name);
  const keys = personKey === null || personKey === name ? undefined : await keysOf(tx, lines, personKey);
  const found = await findByEmails(
    tx,
    lines.map(({ email }) => email),
  );
  const ids = found.flatMap(({ stored }) => stored?.id ?? []);
  const managed = await ownedFields(tx, ids);
  const known = new Set([...holders.values()].flat().map(({ id }) => id));
  const hasLeft = (one: Profile) =>
    one.status === 'deactivated' && one.merged_into == null && !managed.has(one.id) && !known.has(one.id);
  const values = onlyOnce(name);
  const emails = onlyOnce('email');
  const identities = new Map<Line, Identity>();
  const pace = pacer();
  for (const [index, line] of lines.entries()) {
    await pace();
    const { key, stored: holder } = found[index] as (typeof found)[number];
    if (line.email !== '') emails(line, key);
    const value = valueIn(line.change, name);
    if (value === null) {
      if (line.problems.length + line.unfit.length === 0)
        line.problems.push(rowSentences.row_names_nobody({ name }));
      continue;
    }
    values(line, value);
    const same = holders.get(value) ?? [];
    // A person without a value is found by email once, and has the value from then on.
    const stored = same[0] ?? (holder && valueIn(holder, name) === null ? holder : undefined);
    const former = stored === undefined && holder !== undefined && hasLeft(holder) ? holder : undefined;
    keys?.requireSame(line, stored);
    line.problems.push(...doubtsAbout(tx, line, { name, value, same, stored, holder, former }));
    line.unfit.push(...takenEmail(stored, holder));
    const isCertain = name === personKey && same.length === 1;
    identities.set(line, identityOf(line, key, { holder, stored, isCertain, former }));
  }
  return identities;
}

/** `holder` is the person with the row's email, whose key is `emailKey`. */
const identityOf = (
  { email }: Line,
  emailKey: string,
  { holder, ...found }: Pick<Identity, 'stored' | 'isCertain' | 'former'> & { holder: Profile | undefined },
): Identity => ({
  ...found,
  id: found.stored?.id ?? randomUUIDv7(),
  emailKey: email === '' ? '' : emailKey,
  renames: found.stored !== undefined && email !== '' && holder?.id !== found.stored.id,
});

interface Candidate extends Pick<Identity, 'stored' | 'former'> {
  name: string;
  value: string;
  /** The people with the value. */
  same: Profile[];
  /** The person with the row's email. */
  holder: Profile | undefined;
}

/** Returns why it is not certain whom a row names. */
function* doubtsAbout(
  { principal }: CallTx,
  { email }: Line,
  { name, value, same, stored, holder, former }: Candidate,
): Generator<Sentence> {
  if (same.length > 1) yield rowSentences.row_value_of_several({ name, emails: emailsOf(same), value });
  if (stored === undefined && email === '') yield rowSentences.row_without_email({ name, value });
  const refusal = former && refusalToPassOn(principal, former);
  if (refusal !== undefined) yield rowSentences.row_field({ field: 'email', problem: refusal.sentence });
  if (former === undefined && holder !== undefined && stored === undefined)
    yield rowSentences.row_field({ field: 'email', problem: takenBy(holder) });
}

/** Returns the problem of a row that gives a person the email of somebody else. */
const takenEmail = (stored: Profile | undefined, holder: Profile | undefined): Left[] =>
  stored === undefined || holder === undefined || holder.id === stored.id
    ? []
    : [{ attribute: 'email', reason: takenBy(holder) }];

const takenBy = ({ email }: Profile) => rowSentences.row_email_of_another({ email });

/** A sentence in a sentence for each person would repeat the texts of all others. */
function emailsOf(people: readonly Profile[]): Value {
  const emails = people.map(({ email }) => email);
  const [one = '', other = ''] = emails;
  return emails.length === 2 ? rowSentences.row_both({ one, other }) : emails.join(' and ');
}

/** Returns the people by their value of an attribute, for the values of the rows. */
async function holdersOf(tx: OrgTx, lines: Line[], name: string): Promise<Map<string, Profile[]>> {
  const values = [...new Set(lines.flatMap(({ change }) => valueIn(change, name) ?? []))];
  const holders = new Map<string, Profile[]>();
  if (values.length === 0) return holders;
  const rows = await queries.findByAttribute(tx, name, values);
  await mapInTurns(rows, ({ value, ...profile }) => {
    holders.set(value, [...(holders.get(value) ?? []), profile]);
  });
  return holders;
}

/** Returns the value of an attribute as text, in NFC (D89). */
function valueIn({ attributes = {} }: { attributes?: Record<string, unknown> }, name: string): string | null {
  const field = storedSpelling(attributes, fieldNamed(attributes, name));
  const value = Object.hasOwn(attributes, field) ? attributes[field] : null;
  if (value === null || value === undefined) return null;
  return nfc(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Returns a function that adds a problem to each line with a value that an earlier line has. */
function onlyOnce(what: string) {
  const first = new Map<string, number>();
  return (line: Line, value: string) => {
    const earlier = first.get(value);
    if (earlier === undefined) first.set(value, line.line);
    else line.problems.push(rowSentences.row_repeats({ line: earlier, name: what }));
  };
}

/** Throws 400 if the rows cannot be matched by such a column. */
export function requireMatchable(by: string, columns: readonly string[], fields: readonly string[]): void {
  if (by === 'email') return;
  if (fields.includes(by.toLowerCase())) throw personRefusals.people_match_attribute({ by });
  if (!columns.includes(by)) throw personRefusals.people_match_column_missing({ by, columns });
}
