import {
  type FieldType,
  fieldsOf,
  isAbsent,
  isLongerThan,
  LONGEST_ATTRIBUTE_NAME,
  LONGEST_TEXT,
  MOST_ATTRIBUTES,
  RECORD_FIELDS,
  type RecordField,
} from '../../protocol/src/records.ts';
import type { AccountRecord, Connector, GroupRecord, LicenseRecord, ResourceKind } from './define.ts';

export const pageSize = 100;
const refsPerSlug = 100;

/** The slugs that an account may refer to (protocol 2.5). */
export type Slugs = { groups: ReadonlySet<string>; licenses: ReadonlySet<string> };
export const slugsOf = (connector: Pick<Connector, 'groups' | 'licenses'>): Slugs => ({
  groups: new Set(Object.keys(connector.groups ?? {})),
  licenses: new Set(Object.keys(connector.licenses ?? {})),
});
export type AnyRecord = AccountRecord | GroupRecord | LicenseRecord;

const instant =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\s?(?:Z|[+ -](?:0\d|1[0-5])(?::?\d\d)?)?)?$/i;

/** Returns the problems for which the service would reject a record (protocol 2.5, 7.2). Empty for a valid record. */
export function problemsOf(kind: ResourceKind, record: unknown, slugs: Slugs): string[] {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return ['is not an object'];
  const fields = record as Record<string, unknown>;
  const problems: string[] = [];
  if (typeof fields.id !== 'string' || fields.id === '') problems.push('id: must be a non-empty string');
  else if (fields.id.length > 512) problems.push('id: at most 512 characters');
  if (kind !== 'account' && isAbsent(fields.name)) problems.push('name is required');
  if (kind === 'account' && isAbsent(fields.email) && isAbsent(fields.username))
    problems.push('email or username is required');
  for (const [name, field] of fieldsOf(RECORD_FIELDS[kind])) {
    const value = fields[name];
    if (name === 'id' || isAbsent(value)) continue;
    if (field.type === 'attributes') attributeProblems(value, problems);
    else {
      const problem = PROBLEMS[field.type](value, field);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
    }
  }
  if (kind === 'account') {
    refProblems(fields.memberships, 'memberships', slugs.groups, problems);
    refProblems(fields.assignments, 'assignments', slugs.licenses, problems);
  }
  return problems;
}

/** Return what is wrong with the value of a field. */
const PROBLEMS: Record<
  Exclude<FieldType, 'attributes'>,
  (value: unknown, field: RecordField) => string | undefined
> = {
  text: (value, { longest = LONGEST_TEXT }) =>
    typeof value !== 'string'
      ? 'must be text'
      : isLongerThan(longest, value)
        ? `at most ${longest} characters`
        : value.includes('\0')
          ? 'contains a NUL character'
          : undefined,
  email: (value) =>
    typeof value === 'string' &&
    value.length <= LONGEST_TEXT &&
    /^[^\s@]+@[^\s@]+$/.test(value) &&
    isPlain(value)
      ? undefined
      : 'must be an email address',
  time: (value) => (isInstant(value) ? undefined : 'must be an ISO 8601 timestamp'),
  flag: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  count: (value) =>
    Number.isInteger(value) && (value as number) >= 0 ? undefined : 'must be a whole number of 0 or more',
  choice: (value, { values = [] }) =>
    values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`,
};

function attributeProblems(attributes: unknown, problems: string[]): void {
  if (typeof attributes !== 'object' || Array.isArray(attributes)) {
    problems.push('attributes: must be an object');
    return;
  }
  const given = Object.entries(attributes as object).filter(([, value]) => !isAbsent(value));
  if (given.length > MOST_ATTRIBUTES)
    problems.push(`attributes: at most ${MOST_ATTRIBUTES}, not ${given.length}`);
  for (const [name, value] of given) {
    const problem = nameProblem(name) ?? valueProblem(value);
    if (problem) problems.push(`attributes['${name.slice(0, 100)}']: ${problem}`);
  }
}

function nameProblem(name: string): string | undefined {
  if (name === '' || isLongerThan(LONGEST_ATTRIBUTE_NAME, name))
    return 'the name must have 1 to 100 characters';
  return isPlain(name) ? undefined : 'the name contains a NUL character';
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value === 'boolean' || Number.isFinite(value)) return undefined;
  if (typeof value !== 'string') return 'must be text, a number, true or false';
  if (isLongerThan(LONGEST_TEXT, value)) return `at most ${LONGEST_TEXT} characters`;
  return isPlain(value) ? undefined : 'contains a NUL character';
}

/** Whether the service accepts a value as a time: ISO 8601, read as UTC if it has no offset. */
export const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && instant.test(value) && isDay(value.slice(0, 10));

/** Whether the day is in the calendar. Date.parse would move 30 February to March. */
function isDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00Z`);
  return !day.startsWith('0000') && new Date(midnight || 0).toISOString().startsWith(day);
}

const isPlain = (text: string) => !text.includes('\0') && text.isWellFormed();

function refProblems(value: unknown, field: string, known: ReadonlySet<string>, problems: string[]): void {
  if (isAbsent(value)) return;
  if (typeof value !== 'object' || Array.isArray(value)) {
    problems.push(`${field}: must be an object of slug to list`);
    return;
  }
  for (const [slug, refs] of Object.entries(value as Record<string, unknown>)) {
    if (isAbsent(refs)) continue;
    if (!known.has(slug)) problems.push(`${field}: unknown slug '${slug}'`);
    if (!Array.isArray(refs)) problems.push(`${field}['${slug}']: must be a list`);
    else if (refs.length > refsPerSlug)
      problems.push(`${field}['${slug}'] has ${refs.length} refs, max is ${refsPerSlug}`);
    else if (!refs.every(isRef))
      problems.push(`${field}['${slug}']: every reference needs an id, and a via a slug and an id`);
  }
}

function isRef(ref: unknown): boolean {
  if (typeof ref !== 'object' || ref === null) return false;
  const { id, name, via } = ref as Record<string, unknown>;
  return isId(id) && (isAbsent(name) || typeof name === 'string') && (isAbsent(via) || isGiver(via));
}

const isId = (id: unknown) => typeof id === 'string' && id !== '';

function isGiver(via: unknown): boolean {
  if (typeof via !== 'object' || via === null) return false;
  const { slug, id } = via as Record<string, unknown>;
  return isId(slug) && isId(id);
}

/** Yields every reference of an account with its slug. */
export function* refsOf(record: AnyRecord): Generator<{ slug: string; id: string; named: boolean }> {
  const { memberships, assignments } = record as AccountRecord;
  for (const map of [memberships, assignments]) {
    for (const [slug, refs] of Object.entries(map ?? {})) {
      for (const ref of refs ?? []) yield { slug, id: ref.id, named: !isAbsent(ref.name) };
    }
  }
}

/** Whether an account has access: it is neither suspended nor inactive. */
export function isActive(account: AnyRecord): boolean {
  const { status } = account as AccountRecord;
  return isAbsent(status) || status === 'active';
}

export function countRefs({ memberships, assignments }: AccountRecord): number {
  let count = 0;
  for (const map of [memberships, assignments]) {
    for (const slug in map) count += map[slug]?.length ?? 0;
  }
  return count;
}
