import type { Static } from 'typebox';
import { fieldNamed, isSame } from '#kit/nfc.ts';
import type { Sentence } from '#kit/sentences.ts';
import { versionOf } from '#kit/versions.ts';
import type { FieldChange, PersonView } from './schemas.ts';
import { personSentences } from './sentences.ts';

/** The system that keeps a person's record: an identity provider that pushes through SCIM, or Gatehouse alone. */
export const PERSON_SOURCES = ['scim', 'gatehouse'] as const;
export const PERSON_SORTS = ['created', '-created', 'email', '-email'] as const;
export type PersonSort = (typeof PERSON_SORTS)[number];
/** The values that two records of one person may have in common. */
export const SHARED_VALUES = ['employee_number', 'lookalike_email', 'name', 'local_part'] as const;
/** A person may also be the one to whom their email passed (D63). */
export const DUPLICATE_REASONS = [...SHARED_VALUES, 'succession'] as const;
export type SharedReason = (typeof SHARED_VALUES)[number];
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

type Shown = Omit<Static<typeof PersonView>, 'external_uuid' | 'merged_into' | 'succeeded_by'>;

/** A person's record (protocol 10). */
export interface Person extends Shown {
  id: string;
  /** The person who remained when this one was merged. */
  merged_into?: string | null;
  /** The person to whom the email has passed (D63). */
  succeeded_by?: string | null;
}

/** A person's record without times and groups. */
export type Profile = Omit<Person, 'created_at' | 'updated_at' | 'groups' | 'sources'>;

/** The fields that a request or an imported row sets. Missing fields stay. An attribute of null is removed. */
export type ProfileChange = Partial<Omit<Profile, 'id'>>;

/** A person before and after a change. `before` is undefined for a new person. */
export interface Draft {
  before: Profile | undefined;
  after: Profile;
}

const defaults = (id: string, email: string): Profile => ({
  id,
  username: email,
  email,
  first_name: '',
  last_name: '',
  identity_type: 'human',
  domain_type: 'internal',
  manager: null,
  status: 'active',
  role: 'member',
  attributes: {},
  start_date: null,
  end_date: null,
  leave_from: null,
  leave_until: null,
});

export const draftNew = (id: string, email: string, change: ProfileChange): Draft => ({
  before: undefined,
  after: apply(defaults(id, email), change),
});

/** A person whose email passed to somebody else also gives up the user name that was this email, once they get another one. */
export const draftChange = (before: Profile, change: ProfileChange): Draft => {
  const gaveUpName = before.succeeded_by != null && before.username === before.email;
  const name = gaveUpName && change.email !== undefined ? { username: change.email } : {};
  return { before, after: apply(before, { ...name, ...change }) };
};

const FIELDS = [
  'username',
  'email',
  'first_name',
  'last_name',
  'identity_type',
  'domain_type',
  'manager',
  'status',
  'role',
  'start_date',
  'end_date',
  'leave_from',
  'leave_until',
] as const;
/** The days of a leave: absences store them (leaves.ts). */
export const LEAVE_DAYS: readonly string[] = ['leave_from', 'leave_until'];

/** Returns the version of a person's record. Groups and their sources do not change it. */
export const profileVersion = (profile: Profile): string =>
  versionOf([...FIELDS.map((field) => profile[field]), profile.attributes]);

/** Ignores unknown fields, which a request may have. Values that differ only in the form of their letters stay as they are (D89). */
function apply(profile: Profile, sent: ProfileChange): Profile {
  const change = withPresentLeave(sent);
  const named = FIELDS.filter(
    (field) => change[field] !== undefined && !isSame(change[field], profile[field]),
  ).map((field) => [field, change[field]]);
  const given = Object.entries(change.attributes ?? {})
    .map(([name, value]) => [fieldNamed(profile.attributes, name), value] as const)
    .filter(([name, value]) => value === null || !isSame(value, attributeOf(profile, name)));
  const attributes = Object.entries({ ...profile.attributes, ...Object.fromEntries(given) });
  return {
    ...profile,
    ...Object.fromEntries(named),
    // In lower case, as the database writes ids, so that they can be compared.
    manager: (change.manager === undefined ? profile.manager : change.manager)?.toLowerCase() ?? null,
    attributes: Object.fromEntries(attributes.filter(([, value]) => value !== null)),
  };
}

/** Returns a change without a leave that is over: files and providers name it long after. Without a first day, a leave has no last one. */
function withPresentLeave(change: ProfileChange): ProfileChange {
  const { leave_from: from, leave_until: until } = change;
  const lately = Temporal.Now.plainDateISO('UTC').subtract({ days: 1 }).toString();
  if (until != null && from !== undefined && until < lately && (from ?? '') <= until)
    return { ...change, leave_from: null, leave_until: null };
  return from === null && until === undefined ? { ...change, leave_until: null } : change;
}

/** Returns the changed fields, and each changed attribute as `attributes.<name>`. A new person has none. */
export function changesOf({ before, after }: Draft): FieldChange[] {
  if (before === undefined) return [];
  const names = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)]);
  return [
    ...FIELDS.map((field) => ({ field, from: before[field], to: after[field] })),
    ...[...names].sort().map((name) => ({
      field: `attributes.${name}`,
      from: attributeOf(before, name),
      to: attributeOf(after, name),
    })),
  ].filter(({ from, to }) => !isSame(from, to));
}

/** Returns the fields in which a new person differs from one with nothing but an email, as changes from null. The email is one of them. */
export const valuesOf = (person: Profile): FieldChange[] => {
  const empty = { ...defaults(person.id, person.email), email: '' };
  return changesOf({ before: empty, after: person }).map((change) => ({ ...change, from: null }));
};

/** An attribute may have a name that every object inherits, such as `constructor`. */
const attributeOf = ({ attributes }: Profile, name: string): unknown =>
  Object.hasOwn(attributes, name) ? attributes[name] : null;

/** Returns a sentence if the dates contradict each other. Both must be valid. */
export function contradictionIn(profile: ProfileChange): Sentence | undefined {
  const { start_date, end_date, leave_from: from, leave_until: until } = profile;
  const isReversed = start_date && end_date && Temporal.PlainDate.compare(end_date, start_date) < 0;
  if (isReversed) return personSentences.end_before_start();
  if (until && !from) return personSentences.leave_without_start();
  return from && until && until < from ? personSentences.leave_end_before_start() : undefined;
}

/** Systems and spreadsheets write a day that they do not know as one of the year 1, 1900 or 1904. */
const FIRST_DAY = '1950-01-01';

/** Returns a sentence if a change sets a day that cannot be meant. */
export function earlyDayIn({ before, after }: Draft): Sentence | undefined {
  const field = (['start_date', 'end_date', 'leave_from'] as const).find(
    (day) => after[day] !== before?.[day] && (after[day] ?? FIRST_DAY) < FIRST_DAY,
  );
  return field && personSentences.day_too_early({ field, day: String(after[field]) });
}

const MOST_ATTRIBUTES = 200;
const LONGEST_NAME = 255;
const LONGEST_VALUE = 4096;

/** Returns a sentence if a change makes the attributes too many or too long. Conditions read all of them. */
export function excessIn({ before, after }: Draft): Sentence | undefined {
  const old = before?.attributes ?? {};
  const names = Object.keys(after.attributes);
  if (names.length > Math.max(MOST_ATTRIBUTES, Object.keys(old).length))
    return personSentences.too_many_attributes({ count: names.length, most: MOST_ATTRIBUTES });
  for (const name of names) {
    const value = after.attributes[name];
    if (Object.hasOwn(old, name) && old[name] === value) continue;
    if (name.length > LONGEST_NAME)
      return personSentences.attribute_name_too_long({ start: name.slice(0, 20), most: LONGEST_NAME });
    const { length } = typeof value === 'string' ? value : JSON.stringify(value);
    if (length > LONGEST_VALUE)
      return personSentences.attribute_too_long({ name, length, most: LONGEST_VALUE });
  }
  return undefined;
}
