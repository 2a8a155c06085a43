import { hash } from 'node:crypto';
import { DomainError } from '../../../kit/errors.ts';
import { instantForSql, isInstant } from '../../../kit/instants.ts';
import {
  type FixedCode,
  type Issue,
  type IssueValues,
  issue,
  MOST_ISSUES,
  summaryOf,
} from '../../../kit/issues.ts';

/**
 * Checks a pushed page and writes its records in the form in which they are staged (protocol 2.5, 7.2; D19). Hot path:
 * it walks a page once and keeps only the fields that are published.
 */

export type RecordKind = 'account' | 'group' | 'license';

/** A page of records that passed all checks. */
export interface RecordPage {
  ids: string[];
  /** JSON list of the records, reduced to the fields that Gatehouse knows. */
  records: string;
  /** For each account, a digest of its record (digestOf). Empty for groups and licenses. */
  digests: string[];
  /** For each account, its details as JSON and their digest (detailOf), or null. Empty if no account has any. */
  details: Details;
  refs: Refs;
  /** For each slug that accounts refer to: the id of the first record that does. */
  membershipSlugs: Map<string, string>;
  assignmentSlugs: Map<string, string>;
  /** The same for the slugs that `via` names. */
  viaSlugs: Map<string, string>;
}

/**
 * The references of a page's accounts, each once, as columns: the record's number from 1; slug, id and name; slug and id of
 * what gives it (D68), null if it was given directly.
 */
export interface Refs {
  records: number[];
  types: string[];
  ids: string[];
  names: (string | null)[];
  viaTypes: (string | null)[];
  viaIds: (string | null)[];
}

export interface Details {
  texts: (string | null)[];
  digests: (string | null)[];
}

type NamedSlugs = Pick<RecordPage, 'membershipSlugs' | 'assignmentSlugs' | 'viaSlugs'>;

/** A page as it is stored. Its lists are array literals of PostgreSQL: the driver takes three times as long to write them. */
export interface StorablePage extends Pick<RecordPage, 'records' | keyof NamedSlugs> {
  /** Number of records. */
  total: number;
  ids: string;
  digests: string;
  details: Record<keyof Details, string>;
  refs: Record<keyof Refs, string>;
}

export function storableOf({ ids, digests, details, refs, ...page }: RecordPage): StorablePage {
  return {
    ...page,
    total: ids.length,
    ids: textArray(ids),
    digests: `{${digests.join(',')}}`,
    details: {
      texts: textArray(details.texts),
      digests: `{${details.digests.map((digest) => digest ?? 'NULL').join(',')}}`,
    },
    refs: {
      records: `{${refs.records.join(',')}}`,
      types: textArray(refs.types),
      ids: textArray(refs.ids),
      names: textArray(refs.names),
      viaTypes: givenOnly(refs.viaTypes),
      viaIds: givenOnly(refs.viaIds),
    },
  };
}

/** Most pages name no giver. Their list is empty. */
const givenOnly = (list: (string | null)[]) => (list.every((text) => text === null) ? '{}' : textArray(list));

/** Looks for characters to escape once for the whole list. */
function textArray(list: (string | null)[]): string {
  const isPlain = !/["\\]/.test(list.join(''));
  const quoted = list.map((text) =>
    text === null ? 'NULL' : isPlain ? `"${text}"` : `"${text.replaceAll(/["\\]/g, '\\$&')}"`,
  );
  return `{${quoted.join(',')}}`;
}

const MOST_RECORDS = 100;
const MOST_REFS = 100;
const MOST_SLUGS = 1000;
const LONGEST_TEXT = 512;

const STATUS: Record<string, string> = { active: 'ACTIVE', inactive: 'INACTIVE', suspended: 'SUSPENDED' };
const RELATIONS = ['memberships', 'assignments'] as const;

const MOST_ATTRIBUTES = 50;
const LONGEST_ATTRIBUTE_NAME = 100;
const RISKS = ['low', 'medium', 'high'];
const EMAIL = /^[^\s@]+@[^\s@]+$/;

type Fields = Record<string, unknown>;

/** Parses the body of a push. Throws 400 or 422 with the texts of protocol 7.2; an invalid record fails the page. */
export function parsePage(slug: string, kind: RecordKind, body: unknown): RecordPage {
  const records = recordsOf(body);
  if (kind === 'account') checkRefCounts(records);
  const issues = new Issues();
  const page = kind === 'account' ? parseAccounts(records, issues) : parseEntitlements(records, kind, issues);
  issues.throwIfAny();
  checkIdsAreUnique(slug, page.ids);
  return page;
}

function recordsOf(body: unknown): unknown[] {
  const issues = new Issues();
  if (!isObject(body)) issues.add('body', 'object_type');
  else if (isAbsent(body.records)) issues.add('records', 'missing');
  else if (!Array.isArray(body.records)) issues.add('records', 'list_type');
  else if (body.records.length > MOST_RECORDS)
    issues.add('records', 'too_many_records', MOST_RECORDS, body.records.length);
  issues.throwIfAny();
  return (body as { records: unknown[] }).records;
}

function checkRefCounts(records: unknown[]) {
  const issues = new Issues();
  for (const [index, record] of records.entries()) {
    if (!isObject(record)) continue;
    for (const relation of RELATIONS) {
      const map = record[relation];
      if (!isObject(map)) continue;
      for (const [slug, refs] of Object.entries(map)) {
        if (Array.isArray(refs) && refs.length > MOST_REFS) {
          const list = `${relation}['${slug}']`;
          issues.add(`records[${index}]`, 'too_many_refs', list, refs.length, MOST_REFS);
        }
      }
    }
  }
  issues.throwIfAny();
}

function checkIdsAreUnique(slug: string, ids: string[]) {
  if (new Set(ids).size < ids.length) {
    throw new DomainError(
      'unprocessable',
      `Sync failed for '${slug}': a record with the same identifier already exists`,
    );
  }
}

/** Throws 422 (protocol 7.2) for the first slug that `known` does not accept as a resource type of that kind. */
export function requireKnownSlugs(page: NamedSlugs, known: (slug: string, kind: RecordKind) => boolean) {
  const check = (slugs: Map<string, string>, kinds: RecordKind[], word: string) => {
    for (const [slug, record] of slugs) {
      if (!kinds.some((kind) => known(slug, kind)))
        throw new DomainError('unprocessable', `Record '${record}': unknown ${word} slug '${slug}'`);
    }
  };
  check(page.membershipSlugs, ['group'], 'membership');
  check(page.assignmentSlugs, ['license'], 'assignment');
  check(page.viaSlugs, ['group', 'license'], 'via');
}

const noRefs = (): Refs => ({ records: [], types: [], ids: [], names: [], viaTypes: [], viaIds: [] });

function parseAccounts(records: unknown[], issues: Issues): RecordPage {
  const ids: string[] = [];
  const staged: string[] = [];
  const digests: string[] = [];
  const details = noDetails();
  const refs = noRefs();
  const slugs = { memberships: new Map<string, string>(), assignments: new Map<string, string>() };
  const viaSlugs = new Map<string, string>();
  for (const [index, record] of records.entries()) {
    const path = `records[${index}]`;
    if (!isObject(record)) {
      issues.add(path, 'object_type');
      continue;
    }
    const id = text(record, 'id', path, issues, { required: true }) ?? '';
    const email = text(record, 'email', path, issues);
    const username = text(record, 'username', path, issues);
    if (isAbsent(record.email) && isAbsent(record.username)) issues.add(`${path}.email`, 'missing');
    ids.push(id);
    const fields: Fields = {
      id,
      email,
      username,
      first_name: text(record, 'first_name', path, issues),
      last_name: text(record, 'last_name', path, issues),
      display_name: text(record, 'display_name', path, issues),
      status: status(record.status, `${path}.status`, issues),
    };
    const json = JSON.stringify(fields);
    staged.push(json);
    const firstRef = refs.ids.length;
    for (const relation of RELATIONS)
      parseRefs(index, id, record[relation], slugs[relation], {
        path: `${path}.${relation}`,
        ...{ refs, viaSlugs, issues },
      });
    digests.push(digestOf(json, refs, firstRef));
    const detail = detailOf(record, path, issues);
    details.texts.push(detail);
    details.digests.push(detail === null ? null : hash('sha256', detail).slice(0, 32));
  }
  return {
    ids,
    records: `[${staged.join(',')}]`,
    digests,
    details: details.texts.every((detail) => detail === null) ? noDetails() : details,
    refs,
    membershipSlugs: slugs.memberships,
    assignmentSlugs: slugs.assignments,
    viaSlugs,
  };
}

/** Change this if a publication takes more from an account than before, so that all accounts are compared again. */
const DIGEST_VERSION = 1;

/**
 * Returns a digest of an account and its references from `firstRef` on, in any order: 128 bits of SHA-256, as a UUID. None
 * of the texts contains the separator: text() rejects it, and a slug with it is unknown.
 */
function digestOf(json: string, { types, ids, names, viaTypes, viaIds }: Refs, firstRef: number): string {
  const refs: string[] = [];
  for (let ref = firstRef; ref < ids.length; ref++) {
    const direct = `${types[ref]}\0${ids[ref]}\0${names[ref] ?? ''}`;
    // No slug is empty, so two separators cannot begin another reference.
    refs.push(viaIds[ref] == null ? direct : `${direct}\0\0${viaTypes[ref]}\0${viaIds[ref]}`);
  }
  return hash('sha256', `${DIGEST_VERSION}${json}\0${refs.sort().join('\0')}`).slice(0, 32);
}

const noDetails = (): Details => ({ texts: [], digests: [] });

/**
 * Returns the fields of an account that give no access (D54), as JSON with sorted keys, or null if it has none of them. They
 * are not part of the account's digest: a new sign-in does not make a publication compare the account and its memberships.
 */
function detailOf(record: Fields, path: string, issues: Issues): string | null {
  const lastSignInAt = instant(record.last_sign_in_at, `${path}.last_sign_in_at`, issues);
  const owner = email(record, 'owner', path, issues);
  const values = attributes(record.attributes, `${path}.attributes`, issues);
  const isOwn = flag(record.is_own, `${path}.is_own`, issues) === true || undefined;
  if (lastSignInAt === undefined && owner === undefined && values === undefined && isOwn === undefined)
    return null;
  return JSON.stringify({
    last_sign_in_at: lastSignInAt,
    owner_email: owner,
    attributes: values,
    is_own: isOwn,
  });
}

function attributes(map: unknown, path: string, issues: Issues): Fields | undefined {
  if (isAbsent(map)) return undefined;
  if (!isObject(map)) {
    issues.add(path, 'object_type');
    return undefined;
  }
  const given = Object.entries(map).filter(([, value]) => !isAbsent(value));
  if (given.length > MOST_ATTRIBUTES) {
    issues.add(path, 'invalid', `should have at most ${MOST_ATTRIBUTES} attributes, not ${given.length}`);
    return undefined;
  }
  for (const [name, value] of given) checkAttribute(map, name, value, path, issues);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function checkAttribute(map: Fields, name: string, value: unknown, path: string, issues: Issues) {
  if (name === '' || isLongerThan(LONGEST_ATTRIBUTE_NAME, name))
    issues.add(path, 'invalid', `should have attribute names of 1 to ${LONGEST_ATTRIBUTE_NAME} characters`);
  else if (name.includes('\0') || !name.isWellFormed()) issues.add(path, 'string_unicode');
  else if (typeof value === 'string') text(map, name, path, issues);
  else if (typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value)))
    issues.add(`${path}.${name}`, 'invalid', 'should be a string, a number, true or false');
}

/** Returns false if the page names too many types. */
function remember(slugs: Map<string, string>, slug: string, account: string): boolean {
  if (!slugs.has(slug)) slugs.set(slug, account);
  return slugs.size <= MOST_SLUGS;
}

/** Where the references of one list of an account go. */
interface RefTarget {
  path: string;
  refs: Refs;
  viaSlugs: Map<string, string>;
  issues: Issues;
}

function parseRefs(
  record: number,
  account: string,
  map: unknown,
  slugs: Map<string, string>,
  target: RefTarget,
) {
  const { path, issues } = target;
  if (isAbsent(map)) return;
  if (!isObject(map)) return issues.add(path, 'object_type');
  for (const [slug, list] of Object.entries(map)) {
    if (!remember(slugs, slug, account))
      return issues.add(path, 'invalid', `should not name more than ${MOST_SLUGS} resource types`);
    if (Array.isArray(list)) parseList(record, account, slug, list, target);
    else if (!isAbsent(list)) issues.add(`${path}.${slug}`, 'list_type');
  }
}

function parseList(
  record: number,
  account: string,
  slug: string,
  list: unknown[],
  { path, refs, viaSlugs, issues }: RefTarget,
) {
  const seen = new Map<string, number>();
  for (const [index, ref] of list.entries()) {
    const place = `${path}.${slug}[${index}]`;
    if (!isObject(ref)) {
      issues.add(place, 'object_type');
      continue;
    }
    const id = text(ref, 'id', place, issues, { required: true });
    const name = text(ref, 'name', place, issues);
    const via = viaOf(ref, slug, place, issues);
    if (id === undefined) continue;
    if (via !== null && !remember(viaSlugs, via.slug, account))
      return issues.add(place, 'invalid', `should not name more than ${MOST_SLUGS} resource types`);
    const known = seen.get(id);
    if (known !== undefined) {
      keepGiver(refs, known, via);
      continue;
    }
    seen.set(id, refs.ids.length);
    refs.records.push(record + 1);
    refs.types.push(slug);
    refs.ids.push(id);
    refs.names.push(name ?? null);
    refs.viaTypes.push(via?.slug ?? null);
    refs.viaIds.push(via?.id ?? null);
  }
}

/** The giver of a reference, as a record names it. */
interface Via {
  slug: string;
  id: string;
}

/** Returns what gives a reference, or null if it was given directly. */
function viaOf(ref: Fields, own: string, place: string, issues: Issues): Via | null {
  const path = `${place}.via`;
  if (isAbsent(ref.via)) return null;
  if (!isObject(ref.via)) {
    issues.add(path, 'object_type');
    return null;
  }
  const slug = text(ref.via, 'slug', path, issues, { required: true });
  const id = text(ref.via, 'id', path, issues, { required: true });
  if (slug === undefined || id === undefined) return null;
  if (slug !== own || id !== ref.id) return { slug, id };
  issues.add(path, 'invalid', 'should name another group or license than the one that it gives');
  return null;
}

/** Decides between two givers of one reference: the account itself, or else the first by slug and id. */
function keepGiver(refs: Refs, place: number, via: Via | null) {
  const [slug, id] = [refs.viaTypes[place] ?? null, refs.viaIds[place] ?? null];
  if (slug === null || id === null) return;
  if (via !== null && (via.slug > slug || (via.slug === slug && via.id >= id))) return;
  refs.viaTypes[place] = via?.slug ?? null;
  refs.viaIds[place] = via?.id ?? null;
}

function parseEntitlements(records: unknown[], kind: 'group' | 'license', issues: Issues): RecordPage {
  const ids: string[] = [];
  const staged: Fields[] = [];
  for (const [index, record] of records.entries()) {
    const path = `records[${index}]`;
    if (!isObject(record)) {
      issues.add(path, 'object_type');
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
    } else {
      fields.risk = risk(record.risk, `${path}.risk`, issues);
      fields.owner_email = email(record, 'owner', path, issues);
    }
    staged.push(fields);
  }
  return {
    ids,
    records: JSON.stringify(staged),
    digests: [],
    details: noDetails(),
    refs: noRefs(),
    membershipSlugs: new Map(),
    assignmentSlugs: new Map(),
    viaSlugs: new Map(),
  };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null and "" count as absent (D19). */
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
    if (rule.required) issues.add(`${path}.${field}`, 'missing');
    return undefined;
  }
  const longest = rule.longest ?? LONGEST_TEXT;
  if (typeof value !== 'string') issues.add(`${path}.${field}`, 'string_type');
  else if (isLongerThan(longest, value)) issues.add(`${path}.${field}`, 'string_too_long', longest);
  else if (value.includes('\0') || !value.isWellFormed()) issues.add(`${path}.${field}`, 'string_unicode');
  else return value;
  return undefined;
}

/** Counts characters, which take up to two UTF-16 units each. Never splits a text of many megabytes. */
const isLongerThan = (longest: number, value: string) =>
  value.length > 2 * longest || (value.length > longest && [...value].length > longest);

function status(value: unknown, path: string, issues: Issues): string {
  if (isAbsent(value)) return 'ACTIVE';
  const known = typeof value === 'string' && Object.hasOwn(STATUS, value) ? STATUS[value] : undefined;
  if (typeof value !== 'string') issues.add(path, 'string_type');
  else if (known === undefined) issues.add(path, 'account_status');
  return known ?? 'ACTIVE';
}

function email(record: Fields, field: string, path: string, issues: Issues): string | undefined {
  const value = text(record, field, path, issues);
  if (value === undefined || EMAIL.test(value)) return value;
  issues.add(`${path}.${field}`, 'string_format', 'email');
  return undefined;
}

/** Returns the moment as ISO 8601 in UTC, so that two ways to write it are not a difference. */
function instant(value: unknown, path: string, issues: Issues): string | undefined {
  if (isAbsent(value)) return undefined;
  if (isInstant(value)) {
    const at = new Date(instantForSql(value));
    // Systems write "never" as a time long ago, such as the year 1.
    return at.getTime() < 0 ? undefined : at.toISOString();
  }
  if (typeof value !== 'string') issues.add(path, 'string_type');
  else issues.add(path, 'string_format', 'date-time');
  return undefined;
}

function risk(value: unknown, path: string, issues: Issues): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'string' && RISKS.includes(value)) return value;
  if (typeof value !== 'string') issues.add(path, 'string_type');
  else issues.add(path, 'enum', RISKS);
  return undefined;
}

function count(value: unknown, path: string, issues: Issues): number | undefined {
  if (isAbsent(value)) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  issues.add(path, 'int_type');
  return undefined;
}

function flag(value: unknown, path: string, issues: Issues): boolean | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  issues.add(path, 'bool_type');
  return undefined;
}

/** Collects the issues of a page, up to the most that a response lists. */
class Issues {
  readonly #found: Issue[] = [];

  add<C extends FixedCode>(path: string, code: C, ...values: IssueValues<C>) {
    if (this.#found.length < MOST_ISSUES) this.#found.push(issue(path, code, ...values));
  }

  throwIfAny() {
    if (this.#found.length > 0)
      throw new DomainError('invalid', summaryOf(this.#found), { issues: this.#found });
  }
}
