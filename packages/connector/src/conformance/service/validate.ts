import {
  type FieldType,
  fieldsOf,
  isAbsent,
  RECORD_FIELDS,
  type RecordField,
} from '../../../../protocol/src/records.ts';
import type { UnseenEntry } from '../../unseen-entries.ts';

/** An error response: status and detail (protocol 7.1, 7.2). */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

export type Kind = 'account' | 'group' | 'license';
export type StoredRecord = { id: string } & Record<string, unknown>;

/**
 * Validates a page (protocol 7.2) in the order of D19. Independent of the runner's checks on purpose: the tests compare them.
 */
export function validatePage(
  body: unknown,
  kind: Kind,
  slug: string,
  slugs: Map<string, Kind>,
): StoredRecord[] {
  const records = (body as { records?: unknown } | null | undefined)?.records;
  if (records === undefined) throw new Refusal(400, 'Field required (records)');
  if (!Array.isArray(records)) throw new Refusal(400, 'Input should be a valid list (records)');
  if (records.length > 100)
    throw new Refusal(400, `List should have at most 100 items after validation, not ${records.length}`);
  records.forEach((record, at) => void checkShape(record, `records[${at}]`, kind));
  const ids = new Set<string>();
  for (const { id } of records as StoredRecord[]) {
    if (ids.has(id))
      throw new Refusal(422, `Sync failed for '${slug}': a record with the same identifier already exists`);
    ids.add(id);
  }
  for (const record of records as StoredRecord[]) checkSlugs(record, slugs);
  return records as StoredRecord[];
}

function checkShape(record: unknown, at: string, kind: Kind): void {
  if (typeof record !== 'object' || record === null)
    throw new Refusal(400, `Input should be a valid object (${at})`);
  const fields = record as Record<string, unknown>;
  if (isAbsent(fields.id)) throw new Refusal(400, `Field required (${at}.id)`);
  const needed = kind === 'account' ? ['email', 'username'] : ['name'];
  if (needed.every((name) => isAbsent(fields[name])))
    throw new Refusal(400, `Field required (${at}.${needed[0]})`);
  for (const [name, field] of fieldsOf(RECORD_FIELDS[kind])) {
    const value = fields[name];
    if (isAbsent(value)) continue;
    if (field.type === 'attributes') checkAttributes(value, `${at}.${name}`);
    else if (!(field.values ?? []).includes(value as string) && !VALID[field.type](value))
      throw new Refusal(400, `Input should be ${expected(field)} (${at}.${name})`);
  }
  checkRefs(fields.memberships, `${at}.memberships`, 'memberships');
  checkRefs(fields.assignments, `${at}.assignments`, 'assignments');
}

const VALID: Record<Exclude<FieldType, 'attributes'>, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  email: (value) => /^\S+@\S+$/.test(String(value)),
  time: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  flag: (value) => typeof value === 'boolean',
  count: (value) => Number.isInteger(value) && Number(value) >= 0,
  choice: () => false,
};

const EXPECTED = {
  ...{ text: 'string', email: 'email', time: 'date-time', flag: 'boolean', count: 'integer' },
  ...{ choice: 'value', attributes: 'object' },
};
const expected = ({ type, values }: RecordField) =>
  values === undefined
    ? `a valid ${EXPECTED[type]}`
    : values
        .map((value) => `'${value}'`)
        .join(', ')
        .replace(/, (?='[^,]*$)/, ' or ');

function checkAttributes(attributes: unknown, at: string): void {
  if (typeof attributes !== 'object' || Array.isArray(attributes))
    throw new Refusal(400, `Input should be a valid object (${at})`);
  const given = Object.entries(attributes as object).filter(([, value]) => !isAbsent(value));
  if (given.length > 50) throw new Refusal(400, `Too many attributes (${at})`);
  for (const [name, value] of given) {
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw new Refusal(400, `Input should be a string, a number, true or false (${at}.${name})`);
  }
}

function checkRefs(map: unknown, at: string, field: string): void {
  for (const [slug, refs] of Object.entries((map ?? {}) as Record<string, unknown>)) {
    if (isAbsent(refs)) continue;
    if (!Array.isArray(refs)) throw new Refusal(400, `Input should be a valid list (${at}.${slug})`);
    if (refs.length > 100) throw new Refusal(400, `${field}['${slug}'] has ${refs.length} refs, max is 100.`);
    if (refs.some((ref) => typeof ref?.id !== 'string' || ref.id === '')) {
      throw new Refusal(400, `Field required (${at}.${slug}.id)`);
    }
  }
}

function checkSlugs(record: StoredRecord, slugs: Map<string, Kind>): void {
  for (const [field, kind, word] of [
    ['memberships', 'group', 'membership'],
    ['assignments', 'license', 'assignment'],
  ] as const) {
    for (const slug of Object.keys((record[field] ?? {}) as object)) {
      if (slugs.get(slug) !== kind)
        throw new Refusal(422, `Record '${record.id}': unknown ${word} slug '${slug}'`);
    }
  }
}

const unseenRules = ['range', 'filter', 'class', 'foreign', 'computed', 'unreadable'];

/** Validates what a completion says of records that were not seen (D81). Returns undefined for a completion without a body. */
export function validateUnseen(
  body: unknown,
  types: ReadonlyMap<string, unknown>,
): UnseenEntry[] | undefined {
  const unseen = (body as { unseen?: unknown } | null | undefined)?.unseen;
  if (unseen === undefined) return undefined;
  if (!Array.isArray(unseen)) throw new Refusal(400, 'Input should be a valid list (unseen)');
  if (unseen.length > 10_000) throw new Refusal(400, 'List should have at most 10000 items (unseen)');
  unseen.forEach(({ slug, id, rule, count }, at) => {
    if (!types.has(slug)) throw new Refusal(400, `Unknown slug '${slug}' (unseen[${at}].slug)`);
    if (id !== null && (typeof id !== 'string' || id === ''))
      throw new Refusal(400, `Input should be a valid string (unseen[${at}].id)`);
    if (!unseenRules.includes(rule)) throw new Refusal(400, `Unknown rule '${rule}' (unseen[${at}].rule)`);
    if (!Number.isInteger(count) || count < 1)
      throw new Refusal(400, `Input should be greater than 0 (unseen[${at}].count)`);
  });
  return unseen as UnseenEntry[];
}
