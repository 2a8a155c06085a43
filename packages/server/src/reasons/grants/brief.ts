import type { ReadGrants } from '#inventory/records/accounts/reasons.ts';
import { briefGrants } from './queries/list.ts';

/** Returns the grants in force on accounts, as far as the caller may see them: members see kinds and ends. */
export const readGrants: ReadGrants = async (call, accountIds, given = {}) => {
  const isMember = call.principal.role === 'member';
  const grants = await briefGrants(call, accountIds, given);
  return grants.map(({ account_id, entitlement_id, external_uuid, kind, label, ends_at }) => ({
    ...{ account_id, entitlement_id },
    grant: { external_uuid, kind, label: isMember ? null : label, ends_at },
  }));
};
