import { plural, t } from '@lingui/core/macro';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { FilterChip } from '../../kit/table/filters.tsx';
import { accountsSearch } from './search.ts';

export const USE = [
  { value: '30', label: t`Not used for 30 days` },
  { value: '90', label: t`Not used for 90 days` },
  { value: '365', label: t`Not used for a year` },
  { value: 'never', label: t`Never used` },
];

/** Filters of the address that no field shows, such as those of a link from a person's page. */
export function OtherFilters() {
  const [at, go] = useAddress(accountsSearch);
  const { readsAll } = useMe();
  const {
    linked,
    kind,
    owner,
    without_owner,
    of_leavers,
    correlation,
    user,
    not_used_for_days: days,
    never_used,
  } = at;
  const isOffered = readsAll && never_used !== true && USE.some(({ value }) => value === days?.toString());
  return (
    <>
      {user !== undefined && <FilterChip label={t`One person only`} remove={() => go({ user: undefined })} />}
      {owner !== undefined && (
        <FilterChip label={t`One owner only`} remove={() => go({ owner: undefined })} />
      )}
      {days !== undefined && !isOffered && (
        <FilterChip
          label={plural(days, { one: 'Not used for # day', other: 'Not used for # days' })}
          remove={() => go({ not_used_for_days: undefined })}
        />
      )}
      {/* A field shows one of its two filters, and members have no fields. */}
      {linked !== undefined && (of_leavers === true || correlation !== undefined || !readsAll) && (
        <FilterChip label={linked ? t`Linked` : t`Not linked`} remove={() => go({ linked: undefined })} />
      )}
      {kind !== undefined && (without_owner === true || !readsAll) && (
        <FilterChip
          label={kind === 'shared' ? t`Shared accounts` : t`Service accounts`}
          remove={() => go({ kind: undefined })}
        />
      )}
      {correlation !== undefined && (of_leavers === true || !readsAll) && (
        <FilterChip label={t`Record to choose`} remove={() => go({ correlation: undefined })} />
      )}
      {of_leavers === true && !readsAll && (
        <FilterChip label={t`Has left`} remove={() => go({ of_leavers: undefined })} />
      )}
      {without_owner === true && !readsAll && (
        <FilterChip label={t`Without an active owner`} remove={() => go({ without_owner: undefined })} />
      )}
      {never_used === true && !readsAll && (
        <FilterChip label={t`Never used`} remove={() => go({ never_used: undefined })} />
      )}
    </>
  );
}
