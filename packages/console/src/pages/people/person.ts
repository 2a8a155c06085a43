import type { Answer } from '../../api/client.ts';
import type { Role } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';
import { labelOf } from '../../people/labels.ts';

export type Person = Answer<'/api/users/{user_id}/'>;
export type NewPerson = paths['/api/users/']['post']['requestBody']['content']['application/json'];
export type DomainType = NonNullable<NewPerson['domain_type']>;

export const selectOptions = (values: readonly string[]) =>
  values.map((value) => ({ value, label: labelOf(value) }));

/** Returns an attribute's value as text. A value that is not text becomes JSON. */
export const attributeText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Owners and administrators may change people. Only owners may change owners. */
export const mayChange = (role: Role | undefined, person: Person) =>
  role === 'owner' || (role === 'admin' && person.role !== 'owner');
