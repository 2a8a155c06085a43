import { t } from '@lingui/core/macro';
import type { Answer } from '../../api/client.ts';
import type { Role } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';

export type Person = Answer<'/api/users/{user_id}/'>;
export type NewPerson = paths['/api/users/']['post']['requestBody']['content']['application/json'];
export type DomainType = NonNullable<NewPerson['domain_type']>;

const LABELS: Record<
  NonNullable<NewPerson['role']> | NonNullable<NewPerson['identity_type']> | DomainType,
  string
> = {
  human: t`Human`,
  service_account: t`Service account`,
  internal: t`Internal`,
  external: t`External`,
  owner: t({ message: 'Owner', context: 'role' }),
  admin: t`Administrator`,
  auditor: t`Auditor`,
  member: t`Member`,
};

/** Returns the label of a role, an identity type or a domain type. */
export const labelOf = (value: string) => (LABELS as Record<string, string>)[value] ?? value;

export const selectOptions = (values: readonly string[]) =>
  values.map((value) => ({ value, label: labelOf(value) }));

/** Returns an attribute's value as text. A value that is not text becomes JSON. */
export const attributeText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Owners and administrators may change people. Only owners may change owners. */
export const mayChange = (role: Role | undefined, person: Person) =>
  role === 'owner' || (role === 'admin' && person.role !== 'owner');
