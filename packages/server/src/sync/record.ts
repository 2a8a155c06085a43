import { DomainError, type Issue } from '../platform/errors.ts';

/**
 * The records of a pushed page (contract 2.5, 7.2; D19): checked, and written down in the form in which they are
 * staged. Hot path: a page is walked once, and only what will be published is kept.
 */

export type RecordKind = 'account' | 'group' | 'license';

/** A page that may be staged. */
export interface Page {
  ids: string[];
  /** JSON list of the records, reduced to the fields that Gatehouse knows. */
  records: string;
  refs: Refs;
  /** What the accounts refer to: slug to the first record that uses it. */
  membershipSlugs: Map<string, string>;
  assignmentSlugs: Map<string, string>;
}

/** What the accounts of a page refer to, each reference once: the record's place, from 1; slug, id and name. */
export interface Refs {
  records: number[];
  types: string[];
  ids: string[];
  names: (string | null)[];
}

const MOST_RECORDS = 100;
const MOST_REFS = 100;
const MOST_ISSUES = 20;
const LONGEST_TEXT = 512;

const STATUS: Record<string, string> = { active: 'ACTIVE', inactive: 'INACTIVE', suspended: 'SUSPENDED' };
const RELATIONS = ['memberships', 'assignments'] as const;

type Fields = Record<string, unknown>;

/** Throws 400 or 422 with contract 7.2's words where the page as a whole cannot be taken. */
export function readPage(slug: string, kind: RecordKind, body: unknown): Page {
  const records = recordsOf(body);
  if (kind === 'account') refuseTooManyRefs(records);
  const issues = new Issues();
  const page = kind === 'account' ? readAccounts(records, issues) : readEntitlements(records, kind, issues);
  issues.refuse();
  refuseTwice(slug, page.ids);
  return page;
}

function recordsOf(body: unknown): unknown[] {
  const issues = new Issues();
  if (!isObject(body)) issues.add('body', 'object_type', 'Input should be a valid object');
  else if (isAbsent(body.records)) issues.add('records', 'missing', 'Field required');
  else if (!Array.isArray(body.records)) issues.add('records', 'list_type', 'Input should be a valid list');
  else if (body.records.length > MOST_RECORDS) {
    issues.add(
      'records',
      'too_long',
      `List should have at most ${MOST_RECORDS} items after validation, not ${body.records.length}`,
    );
  }
  issues.refuse();
  return (body as { records: unknown[] }).records;
}

function refuseTooManyRefs(records: unknown[]) {
  const issues = new Issues();
  for (const [index, record] of records.entries()) {
    if (!isObject(record)) continue;
    for (const relation of RELATIONS) {
      const map = record[relation];
      if (!isObject(map)) continue;
      for (const [slug, refs] of Object.entries(map)) {
        if (Array.isArray(refs) && refs.length > MOST_REFS) {
          issues.add(
            `records[${index}]`,
            'too_long',
            `${relation}['${slug}'] has ${refs.length} refs, max is ${MOST_REFS}.`,
          );
        }
      }
    }
  }
  issues.refuse();
}

function refuseTwice(slug: string, ids: string[]) {
  if (new Set(ids).size < ids.length) {
    throw new DomainError(
      'unprocessable',
      `Sync failed for '${slug}': a record with the same identifier already exists`,
    );
  }
}

/** Throws contract 7.2's 422 for the first slug that `known` does not accept as one of that kind of resource type. */
export function refuseUnknownSlugs(page: Page, known: (slug: string, kind: RecordKind) => boolean) {
  const check = (slugs: Map<string, string>, kind: RecordKind, word: string) => {
    for (const [slug, record] of slugs) {
      if (!known(slug, kind))
        throw new DomainError('unprocessable', `Record '${record}': unknown ${word} slug '${slug}'`);
    }
  };
  check(page.membershipSlugs, 'group', 'membership');
  check(page.assignmentSlugs, 'license', 'assignment');
}

const noRefs = (): Refs => ({ records: [], types: [], ids: [], names: [] });

function readAccounts(records: unknown[], issues: Issues): Page {
  const ids: string[] = [];
  const staged: Fields[] = [];
  const refs = noRefs();
  const slugs = { memberships: new Map<string, string>(), assignments: new Map<string, string>() };
  for (const [index, record] of records.entries()) {
    const path = `records[${index}]`;
    if (!isObject(record)) {
      issues.add(path, 'object_type', 'Input should be a valid object');
      continue;
    }
    const id = text(record, 'id', path, issues, { required: true }) ?? '';
    const email = text(record, 'email', path, issues);
    const username = text(record, 'username', path, issues);
    if (isAbsent(record.email) && isAbsent(record.username))
      issues.add(`${path}.email`, 'missing', 'Field required');
    ids.push(id);
    staged.push({
      id,
      email,
      username,
      first_name: text(record, 'first_name', path, issues),
      last_name: text(record, 'last_name', path, issues),
      display_name: text(record, 'display_name', path, issues),
      status: status(record.status, `${path}.status`, issues),
    });
    for (const relation of RELATIONS)
      readRefs(index, id, record[relation], slugs[relation], { path: `${path}.${relation}`, refs, issues });
  }
  return {
    ids,
    records: JSON.stringify(staged),
    refs,
    membershipSlugs: slugs.memberships,
    assignmentSlugs: slugs.assignments,
  };
}

function readRefs(
  record: number,
  account: string,
  map: unknown,
  slugs: Map<string, string>,
  { path, refs, issues }: { path: string; refs: Refs; issues: Issues },
) {
  if (isAbsent(map)) return;
  if (!isObject(map)) return issues.add(path, 'dict_type', 'Input should be a valid object');
  for (const [slug, list] of Object.entries(map)) {
    if (!slugs.has(slug)) slugs.set(slug, account);
    if (isAbsent(list)) continue;
    if (!Array.isArray(list)) {
      issues.add(`${path}.${slug}`, 'list_type', 'Input should be a valid list');
      continue;
    }
    const seen = new Set<string>();
    for (const [index, ref] of list.entries()) {
      const place = `${path}.${slug}[${index}]`;
      if (!isObject(ref)) {
        issues.add(place, 'object_type', 'Input should be a valid object');
        continue;
      }
      const id = text(ref, 'id', place, issues, { required: true });
      const name = text(ref, 'name', place, issues);
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      refs.records.push(record + 1);
      refs.types.push(slug);
      refs.ids.push(id);
      refs.names.push(name ?? null);
    }
  }
}

function readEntitlements(records: unknown[], kind: 'group' | 'license', issues: Issues): Page {
  const ids: string[] = [];
  const staged: Fields[] = [];
  for (const [index, record] of records.entries()) {
    const path = `records[${index}]`;
    if (!isObject(record)) {
      issues.add(path, 'object_type', 'Input should be a valid object');
      continue;
    }
    const id = text(record, 'id', path, issues, { required: true }) ?? '';
    ids.push(id);
    const fields: Fields = {
      id,
      name: text(record, 'name', path, issues, { required: true }),
      description: text(record, 'description', path, issues, { longest: Number.POSITIVE_INFINITY }),
    };
    if (kind === 'license') {
      fields.max_count = count(record.max_count, `${path}.max_count`, issues);
      fields.used_count = count(record.used_count, `${path}.used_count`, issues);
      fields.is_paid = flag(record.is_paid, `${path}.is_paid`, issues);
      fields.is_unlimited = flag(record.is_unlimited, `${path}.is_unlimited`, issues);
    }
    staged.push(fields);
  }
  return {
    ids,
    records: JSON.stringify(staged),
    refs: noRefs(),
    membershipSlugs: new Map(),
    assignmentSlugs: new Map(),
  };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** D19: null and "" count as absent. */
const isAbsent = (value: unknown) => value === undefined || value === null || value === '';

interface TextRule {
  required?: boolean;
  longest?: number;
}

function text(
  record: Fields,
  field: string,
  path: string,
  issues: Issues,
  rule: TextRule = {},
): string | undefined {
  const value = record[field];
  if (isAbsent(value)) {
    if (rule.required) issues.add(`${path}.${field}`, 'missing', 'Field required');
    return undefined;
  }
  const longest = rule.longest ?? LONGEST_TEXT;
  if (typeof value !== 'string')
    issues.add(`${path}.${field}`, 'string_type', 'Input should be a valid string');
  else if (isLongerThan(longest, value)) {
    issues.add(`${path}.${field}`, 'string_too_long', `String should have at most ${longest} characters`);
  } else if (value.includes('\0') || !value.isWellFormed()) {
    issues.add(`${path}.${field}`, 'string_unicode', 'String should be Unicode text without NUL characters');
  } else return value;
  return undefined;
}

/** In characters, of which one takes up two places at most: a text of many megabytes is not taken apart. */
const isLongerThan = (longest: number, value: string) =>
  value.length > 2 * longest || (value.length > longest && [...value].length > longest);

function status(value: unknown, path: string, issues: Issues): string {
  if (isAbsent(value)) return 'ACTIVE';
  const known = typeof value === 'string' && Object.hasOwn(STATUS, value) ? STATUS[value] : undefined;
  if (typeof value !== 'string') issues.add(path, 'string_type', 'Input should be a valid string');
  else if (known === undefined)
    issues.add(path, 'enum', "Input should be 'active', 'inactive' or 'suspended'");
  return known ?? 'ACTIVE';
}

function count(value: unknown, path: string, issues: Issues): number | undefined {
  if (isAbsent(value)) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  issues.add(path, 'int_type', 'Input should be a valid integer');
  return undefined;
}

function flag(value: unknown, path: string, issues: Issues): boolean | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  issues.add(path, 'bool_type', 'Input should be a valid boolean');
  return undefined;
}

/** What is wrong with a page, the first twenty places of it (D5). */
class Issues {
  readonly #found: Issue[] = [];

  add(path: string, code: string, message: string) {
    if (this.#found.length < MOST_ISSUES) this.#found.push({ path, code, message });
  }

  refuse() {
    const first = this.#found[0];
    if (first !== undefined)
      throw new DomainError('invalid', `${first.message} (${first.path})`, { issues: this.#found });
  }
}
