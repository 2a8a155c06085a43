import { isDeepStrictEqual } from 'node:util';
import type { Role } from '../identity/principal.ts';

/** What is known about a person (governance.md "People"). */
export interface Profile {
  id: string;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  identity_type: 'human' | 'service_account';
  domain_type: 'internal' | 'external';
  manager: string | null;
  status: 'active' | 'deactivated';
  role: Role;
  attributes: Record<string, unknown>;
  /** Days, as `2026-11-21`. */
  start_date: string | null;
  end_date: string | null;
}

export interface Person extends Profile {
  created_at: Date;
  updated_at: Date;
}

/** What a request or a row of a file says: fields that it does not name stay. An attribute of null goes. */
export type ProfileChange = Partial<Omit<Profile, 'id'>>;

/** A person as they will be, beside what they are now; `before` is undefined for a new one. */
export interface Draft {
  before: Profile | undefined;
  after: Profile;
}

export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const newcomer = (id: string, email: string): Profile => ({
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
});

export const draftNew = (id: string, email: string, change: ProfileChange): Draft => ({
  before: undefined,
  after: apply(newcomer(id, email), change),
});

export const draftChange = (before: Profile, change: ProfileChange): Draft => ({
  before,
  after: apply(before, change),
});

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
] as const;

/** Takes only what it knows: a request may hold more. */
function apply(profile: Profile, change: ProfileChange): Profile {
  const named = FIELDS.filter((field) => change[field] !== undefined).map((field) => [field, change[field]]);
  const attributes = Object.entries({ ...profile.attributes, ...change.attributes });
  return {
    ...profile,
    ...Object.fromEntries(named),
    // As the database writes ids, so that they can be compared.
    manager: (change.manager === undefined ? profile.manager : change.manager)?.toLowerCase() ?? null,
    attributes: Object.fromEntries(attributes.filter(([, value]) => value !== null)),
  };
}

/** Field by field; attributes each by their own name, `attributes.title`. Nothing for a new person. */
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
  ].filter(({ from, to }) => !isDeepStrictEqual(from, to));
}

/** An attribute may have the name of what every object has. */
const attributeOf = ({ attributes }: Profile, name: string): unknown =>
  Object.hasOwn(attributes, name) ? attributes[name] : null;

/** A sentence for what cannot be, though each field alone could. */
export function contradictionIn({ start_date, end_date }: ProfileChange): string | undefined {
  for (const [name, day] of Object.entries({ start_date, end_date })) {
    if (day && !isDay(day)) return `${name} should be a day like 2026-11-21.`;
  }
  return start_date && end_date && end_date < start_date ? 'end_date lies before start_date.' : undefined;
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${text}T`);
}
