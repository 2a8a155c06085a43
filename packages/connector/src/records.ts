import type { AccountRecord, GroupRecord, LicenseRecord, ResourceKind } from './define.ts';

export const pageSize = 100;
const refsPerSlug = 100;

/** The slugs that an account may refer to (protocol 2.5). */
export type Slugs = { groups: ReadonlySet<string>; licenses: ReadonlySet<string> };
export type AnyRecord = AccountRecord | GroupRecord | LicenseRecord;

const accountText = ['email', 'username', 'first_name', 'last_name', 'display_name'];
const statuses = ['active', 'inactive', 'suspended'];

/** Returns the problems for which the service would reject a record (protocol 2.5, 7.2). Empty for a valid record. */
export function problemsOf(kind: ResourceKind, record: unknown, slugs: Slugs): string[] {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return ['is not an object'];
  const fields = record as Record<string, unknown>;
  const problems: string[] = [];
  if (typeof fields.id !== 'string' || fields.id === '') problems.push('id: must be a non-empty string');
  else if (fields.id.length > 512) problems.push('id: at most 512 characters');
  if (kind === 'account') accountProblems(fields, slugs, problems);
  else namedProblems(kind, fields, problems);
  return problems;
}

function accountProblems(fields: Record<string, unknown>, slugs: Slugs, problems: string[]): void {
  if (isAbsent(fields.email) && isAbsent(fields.username)) problems.push('email or username is required');
  for (const name of accountText) textProblem(fields, name, problems);
  if (!isAbsent(fields.status) && !statuses.includes(fields.status as string)) {
    problems.push(`status: must be one of ${statuses.join(', ')}`);
  }
  refProblems(fields.memberships, 'memberships', slugs.groups, problems);
  refProblems(fields.assignments, 'assignments', slugs.licenses, problems);
}

function namedProblems(kind: ResourceKind, fields: Record<string, unknown>, problems: string[]): void {
  if (isAbsent(fields.name)) problems.push('name is required');
  textProblem(fields, 'name', problems);
  textProblem(fields, 'description', problems);
  if (kind === 'group') return;
  for (const name of ['max_count', 'used_count']) {
    const value = fields[name];
    if (!isAbsent(value) && !(Number.isInteger(value) && (value as number) >= 0)) {
      problems.push(`${name}: must be a whole number of 0 or more`);
    }
  }
  for (const name of ['is_paid', 'is_unlimited']) {
    if (!isAbsent(fields[name]) && typeof fields[name] !== 'boolean')
      problems.push(`${name}: must be true or false`);
  }
}

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
    else if (!refs.every(isRef)) problems.push(`${field}['${slug}']: every reference needs an id`);
  }
}

function isRef(ref: unknown): boolean {
  if (typeof ref !== 'object' || ref === null) return false;
  const { id, name } = ref as Record<string, unknown>;
  return typeof id === 'string' && id !== '' && (isAbsent(name) || typeof name === 'string');
}

function textProblem(fields: Record<string, unknown>, name: string, problems: string[]): void {
  const value = fields[name];
  if (isAbsent(value)) return;
  if (typeof value !== 'string') problems.push(`${name}: must be text`);
  else if (value.includes('\0')) problems.push(`${name}: contains a NUL character`);
  else if (name === 'name' && value.length > 512) problems.push('name: at most 512 characters');
}

/** null and "" count as absent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
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

export function countRefs({ memberships, assignments }: AccountRecord): number {
  let count = 0;
  for (const map of [memberships, assignments]) {
    for (const slug in map) count += map[slug]?.length ?? 0;
  }
  return count;
}
