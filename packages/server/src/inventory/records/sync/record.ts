import { hash } from 'node:crypto';
import {
  DETAILS,
  fieldsOf,
  GROUP_FIELDS,
  isAbsent,
  LICENSE_FIELDS,
  type RecordFields,
} from '../../../../../protocol/src/records.ts';
import { recordRefusals } from '../sentences.ts';
import { isLargeRecords } from './large-records.ts';
import { PageColumns, type StorablePage } from './page-columns.ts';
import { type Fields, Issues, isObject, readerOf, status, text } from './record-fields.ts';
import type { Details, NamedSlugs, RecordKind, RecordPage, Records } from './record-page.ts';
import { noRefs, parseRefs, type Refs } from './record-refs.ts';

export type { RecordKind, RecordPage } from './record-page.ts';

/**
 * Checks a pushed page and writes its records in the form in which they are staged (protocol 2.5, 7.2; D19). Hot path:
 * it walks a page once and keeps only the fields that are published.
 */

const MOST_RECORDS = 100;
const MOST_REFS = 100;

const RELATIONS = ['memberships', 'assignments'] as const;

/** Parses the body of a push. Throws 400 or 422 with the texts of protocol 7.2; an invalid record fails the page. */
export function parsePage(slug: string, kind: RecordKind, body: unknown): RecordPage {
  const records = recordsOf(body);
  const counts = new Issues();
  if (kind === 'account')
    for (const [index, record] of records.entries()) checkRefCounts(index, record, counts);
  counts.throwIfAny();
  const issues = new Issues();
  const page = parseRecords(records.entries(), kind, issues, noSlugs());
  issues.throwIfAny();
  checkIdsAreUnique(slug, page.ids);
  return page;
}

/** Does the same for the storable form of a large page, with one record in memory at a time. */
export function parseRecordByRecord(slug: string, kind: RecordKind, body: unknown): StorablePage {
  const [counts, issues] = [new Issues(), new Issues()];
  const slugs = noSlugs();
  const ids: string[] = [];
  const columns = new PageColumns();
  for (const [index, record] of recordsOf(body).entries()) {
    if (kind === 'account' && !checkRefCounts(index, record, counts)) continue;
    const page = parseRecords([[index, record]], kind, issues, slugs);
    ids.push(...page.ids);
    if (issues.isEmpty) columns.add(page);
  }
  counts.throwIfAny();
  issues.throwIfAny();
  checkIdsAreUnique(slug, ids);
  return columns.finish(slugs);
}

function recordsOf(body: unknown): Records {
  const issues = new Issues();
  const records = isObject(body) ? body.records : undefined;
  const isList = Array.isArray(records) || isLargeRecords(records);
  if (!isObject(body)) issues.add('body', 'object_type');
  else if (isAbsent(records)) issues.add('records', 'missing');
  else if (!isList) issues.add('records', 'list_type');
  else if (records.length > MOST_RECORDS)
    issues.add('records', 'too_many_records', MOST_RECORDS, records.length);
  issues.throwIfAny();
  return records as Records;
}

/** Adds an issue for each list of references that is too long. Returns false if there is one. */
function checkRefCounts(index: number, record: unknown, issues: Issues): boolean {
  if (!isObject(record)) return true;
  let areShort = true;
  for (const relation of RELATIONS) {
    const map = record[relation];
    if (!isObject(map)) continue;
    for (const [slug, refs] of Object.entries(map)) {
      if (!Array.isArray(refs) || refs.length <= MOST_REFS) continue;
      areShort = false;
      issues.add(`records[${index}]`, 'too_many_refs', `${relation}['${slug}']`, refs.length, MOST_REFS);
    }
  }
  return areShort;
}

const noSlugs = (): NamedSlugs => ({
  membershipSlugs: new Map(),
  assignmentSlugs: new Map(),
  viaSlugs: new Map(),
});

/** `slugs` are those of the whole page so far. */
const parseRecords = (
  records: Iterable<[number, unknown]>,
  kind: RecordKind,
  issues: Issues,
  slugs: NamedSlugs,
): RecordPage =>
  kind === 'account'
    ? parseAccounts(records, issues, slugs)
    : parseEntitlements(records, kind, issues, slugs);

function checkIdsAreUnique(slug: string, ids: string[]) {
  if (new Set(ids).size < ids.length) {
    throw recordRefusals.record_id_taken({ slug });
  }
}

/** Throws 422 (protocol 7.2) for the first slug that `known` does not accept as a resource type of that kind. */
export function requireKnownSlugs(page: NamedSlugs, known: (slug: string, kind: RecordKind) => boolean) {
  const check = (
    slugs: Map<string, string>,
    kinds: RecordKind[],
    refusal: typeof recordRefusals.membership_slug_unknown,
  ) => {
    for (const [slug, record] of slugs) {
      if (!kinds.some((kind) => known(slug, kind))) throw refusal({ record, slug });
    }
  };
  check(page.membershipSlugs, ['group'], recordRefusals.membership_slug_unknown);
  check(page.assignmentSlugs, ['license'], recordRefusals.assignment_slug_unknown);
  check(page.viaSlugs, ['group', 'license'], recordRefusals.via_slug_unknown);
}

function parseAccounts(records: Iterable<[number, unknown]>, issues: Issues, named: NamedSlugs): RecordPage {
  const ids: string[] = [];
  const staged: string[] = [];
  const digests: string[] = [];
  const details = noDetails();
  const refs = noRefs();
  const slugs = { memberships: named.membershipSlugs, assignments: named.assignmentSlugs };
  const { viaSlugs } = named;
  for (const [index, record] of records) {
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
    for (const relation of RELATIONS) {
      if (isAbsent(record[relation])) continue;
      const target = { path: `${path}.${relation}`, refs, viaSlugs, issues };
      parseRefs(index, id, record[relation], slugs[relation], target);
    }
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
    ...named,
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
  if (DETAILS.every(({ name }) => isAbsent(record[name]))) return null;
  const detail: Fields = {};
  for (const { name, column, absent, read } of READ_DETAILS) {
    const value = read(record, name, path, issues);
    if (value !== absent) detail[column] = value;
  }
  const json = JSON.stringify(detail);
  return json === '{}' ? null : json;
}

const READ_DETAILS = DETAILS.map((field) => ({ ...field, read: readerOf(field) }));

function parseEntitlements(
  records: Iterable<[number, unknown]>,
  kind: 'group' | 'license',
  issues: Issues,
  named: NamedSlugs,
): RecordPage {
  const ids: string[] = [];
  const staged: Fields[] = [];
  for (const [index, record] of records) {
    const path = `records[${index}]`;
    if (!isObject(record)) {
      issues.add(path, 'object_type');
      continue;
    }
    const fields: Fields = {};
    for (const { name, column = name, read } of READ[kind]) fields[column] = read(record, name, path, issues);
    fields.id ??= '';
    ids.push(fields.id as string);
    staged.push(fields);
  }
  return {
    ids,
    records: JSON.stringify(staged),
    digests: [],
    details: noDetails(),
    refs: noRefs(),
    ...named,
  };
}

const readersOf = (table: RecordFields) =>
  fieldsOf(table).map(([name, field]) => ({ ...field, name, read: readerOf(field) }));
const READ = { group: readersOf(GROUP_FIELDS), license: readersOf(LICENSE_FIELDS) };
