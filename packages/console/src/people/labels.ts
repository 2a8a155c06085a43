import { t } from '@lingui/core/macro';
import type { paths } from '../api/schema.ts';

type NewPerson = paths['/api/users/']['post']['requestBody']['content']['application/json'];

const LABELS: Record<
  NonNullable<NewPerson['role'] | NewPerson['identity_type'] | NewPerson['domain_type']>,
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
