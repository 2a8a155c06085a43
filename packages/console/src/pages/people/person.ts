import type { Answer } from '../../api/client.ts';
import type { Role } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';

export type Person = Answer<'/api/users/{user_id}/'>;
export type NewPerson = paths['/api/users/']['post']['requestBody']['content']['application/json'];

const WORDS: Record<string, string> = {
  human: 'Human',
  service_account: 'Service account',
  internal: 'Internal',
  external: 'External',
  owner: 'Owner',
  admin: 'Administrator',
  auditor: 'Auditor',
  member: 'Member',
};

/** A role, an identity type or a domain type, in words. */
export const wordOf = (value: string) => WORDS[value] ?? value;

export const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: wordOf(value) }));

/** An attribute's value as text; what is no text is shown as JSON. */
export const attributeText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Owners and administrators change people; what owners are is for owners (governance.md "Roles"). */
export const mayChange = (role: Role | undefined, person: Person) =>
  role === 'owner' || (role === 'admin' && person.role !== 'owner');
