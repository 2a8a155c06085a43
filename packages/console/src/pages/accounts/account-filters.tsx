import { plural, t } from '@lingui/core/macro';
import { AppFilter } from '../../apps/app-picker.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { FilterChip } from '../../kit/table/filters.tsx';
import { filtersOf } from '../../kit/table/list-filters.tsx';
import { accountsSearch, STATUSES } from './search.ts';

const { search, select, either, chip, field } = filtersOf(accountsSearch);

/** The filters that go with an earlier time, too. */
export const DATED_FILTERS = [
  field('app', ({ app }, go) => <AppFilter value={app} set={(chosen) => go({ app: chosen })} />),
  select('status', t`Status`, STATUSES, statusWord),
  chip('user', t`One person only`),
];

const DAYS = [
  { label: t`Not used for 30 days`, at: { not_used_for_days: 30 } },
  { label: t`Not used for 90 days`, at: { not_used_for_days: 90 } },
  { label: t`Not used for a year`, at: { not_used_for_days: 365 } },
];

/** The filters of the present list. Members have no fields for those about others, but links set them. */
export const accountFilters = (readsAll: boolean) => [
  search('q', t`Search by name or email`),
  ...DATED_FILTERS,
  either<'linked' | 'orphaned' | 'of_leavers' | 'correlation'>(
    t`Person`,
    [
      { label: t`Linked`, at: { linked: true } },
      { label: t`Without a person`, at: { linked: false } },
      { label: t`Orphaned`, at: { orphaned: true } },
      { label: t`Has left`, at: { of_leavers: true }, goesFirst: true },
      { label: t`Record to choose`, at: { correlation: 'ambiguous' } },
    ],
    readsAll,
  ),
  either<'kind' | 'without_owner'>(
    t`Kind`,
    [
      { label: t`Service accounts`, at: { kind: 'service' } },
      { label: t`Shared accounts`, at: { kind: 'shared' } },
      { label: t`Without an active owner`, at: { without_owner: true } },
    ],
    readsAll,
  ),
  either<'not_used_for_days' | 'never_used'>(
    t`Use`,
    [...DAYS, { label: t`Never used`, at: { never_used: true } }],
    readsAll,
  ),
  either<'mfa'>(
    t`Second factor`,
    [
      { label: t`Without a second factor`, at: { mfa: 'false' } },
      { label: t`With a second factor`, at: { mfa: 'true' } },
      { label: t`Second factor not known`, at: { mfa: 'unknown' } },
    ],
    readsAll,
  ),
  chip('owner', t`One owner only`),
  field('not_used_for_days', ({ not_used_for_days: days }, go) => {
    if (days === undefined || DAYS.some(({ at }) => at.not_used_for_days === days)) return null;
    const label = plural(days, { one: 'Not used for # day', other: 'Not used for # days' });
    return <FilterChip label={label} remove={() => go({ not_used_for_days: undefined })} />;
  }),
];
