import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { get, type Item, list } from '../../api/client.ts';
import { appColumn } from '../../apps/app-column.tsx';
import { AppFilter } from '../../apps/app-picker.tsx';
import { AroundTime, certaintyColumn } from '../../history/certainty.tsx';
import { addressAt, pastQuery, useCoverage } from '../../history/past.ts';
import { PastBanner } from '../../history/past-banner.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { optionsOf } from '../../kit/form/form-options.ts';
import * as column from '../../kit/table/columns.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { entitlementName, RISKS, TYPES } from './entitlement.ts';
import { accessSearch, SORTS } from './search.ts';

type Entitlement = Item<'/api/resources/'>;

const membersWords = ({ members, members_more }: Entitlement) => {
  const shown = grouped(members ?? 0);
  return members_more === true ? t`more than ${shown}` : shown;
};

const dated: Column<Entitlement>[] = [
  column.name('name', t`Name`, entitlementName, { sort: 'name', phone: 'title' }),
  appColumn('app', t`App`, ({ app }) => app.name, { sort: 'app', phone: 'detail' }),
  column.code('type', t`Type`, TYPES),
];
const members: Column<Entitlement> = column.cell(
  'members',
  t`Accounts`,
  { right: true, sort: 'members', phone: 'detail', csv: (row) => row.members },
  membersWords,
);
const columns: Column<Entitlement>[] = [
  ...dated,
  column.text('risk', t`Risk`, ({ risk }) => (risk == null ? '' : RISKS[risk]), {
    sort: 'risk',
    phone: 'detail',
    csv: ({ risk }) => risk ?? '',
  }),
  column.name(
    'owner',
    t`Owner`,
    ({ owner, owner_email }) => (owner == null ? (owner_email ?? '') : personName(owner)),
    { csv: ({ owner_email }) => owner_email ?? '' },
  ),
  members,
  column.text('leavers', t`Of leavers`, { right: true }),
  column.text('unused', t`Unused for 90 days`, { right: true }),
  column.moment('reviewed_at', t`Last reviewed`, { sort: 'reviewed', none: t`Never` }),
];
const pastColumns = [...dated, members, certaintyColumn];

const { search, select, either, field, chip } = filtersOf(accessSearch);

/** The filters that go with an earlier time, too. */
const DATED = [
  search('q', t`Search by name`),
  field('app', ({ app }, go) => <AppFilter value={app} set={(chosen) => go({ app: chosen })} />),
  select('type', t`Type`, optionsOf(TYPES)),
];
const FILTERS = [
  ...DATED,
  select('risk', t`Risk`, optionsOf(RISKS)),
  either<'of_leavers' | 'not_used_for_days'>(t`Accounts`, [
    { label: t`Of people who have left`, at: { of_leavers: true } },
    { label: t`Not used for 90 days`, at: { not_used_for_days: 90 } },
    { label: t`Not used for a year`, at: { not_used_for_days: 365 } },
  ]),
  either<'not_reviewed_for_days'>(t`Review`, [
    { label: t`Not reviewed for 90 days`, at: { not_reviewed_for_days: 90 } },
    { label: t`Not reviewed for a year`, at: { not_reviewed_for_days: 365 } },
  ]),
  either<'without_owner' | 'requestable' | 'hidden'>(t`More`, [
    { label: t`Without an active owner`, at: { without_owner: true } },
    { label: t`Can be requested`, at: { requestable: true } },
    { label: t`With hidden members`, at: { hidden: true } },
  ]),
  chip('owner', t`One owner only`),
];

/** The groups and licenses of all apps, or the way to the one that the address names. */
export function AccessPage() {
  const [at] = useAddress(accessSearch);
  return at.app !== undefined && at.slug !== undefined && at.id !== undefined ? (
    <Named app={at.app} slug={at.slug} id={at.id} />
  ) : (
    <All />
  );
}

function Named(named: { app: string; slug: string; id: string }) {
  const [at] = useAddress(accessSearch);
  const found = useQuery(get('/api/resources/', { query: { ...named, limit: 1 } }));
  const gone = useQuery({
    ...get('/api/resources/', { query: { ...named, active: false, limit: 1 } }),
    enabled: found.data?.count === 0,
  });
  const one = found.data?.results[0] ?? gone.data?.results[0];
  if (one === undefined) return gone.data !== undefined || found.isError ? <All /> : null;
  return (
    <Navigate
      replace
      to="/access/$resourceId"
      params={{ resourceId: one.external_uuid }}
      search={pastQuery(at)}
    />
  );
}

function All() {
  const [at, go] = useAddress(accessSearch);
  const isPast = at.as_of !== undefined;
  const filters = isPast ? DATED : FILTERS;
  const source = list('/api/resources/', {
    query: isPast ? { ...asked(at, DATED), ...pastQuery(at) } : { ...asked(at, FILTERS), sort: at.sort },
  });
  const coverage = useCoverage(source, isPast);
  return (
    <AroundTime value={coverage}>
      <ListPage
        title={t`Access`}
        about={t`The groups and licenses of all apps, and the accounts that have them.`}
        top={<PastControls of={{ app: at.app }} at={at} go={go} />}
        address={[at, go]}
        filters={filters}
        note={isPast && <PastBanner at={at} go={go} coverage={coverage} />}
        counted={(n) => plural(n, { one: '# group or license', other: '# groups and licenses' })}
        list={source}
        columns={isPast ? pastColumns : columns}
        rowName={(one) => t`${{ name: entitlementName(one) }} in ${{ app: one.app.name }}`}
        href={({ external_uuid }) => addressAt(`/access/${external_uuid}`, at)}
        {...(isPast ? {} : { sorts: SORTS })}
        csv="access"
        empty={{ title: t`No groups or licenses yet`, text: t`Run the first sync of an app to import them.` }}
        unmatched={{
          title: t`No groups or licenses match these filters`,
          text: t`Clear the filters to see all groups and licenses.`,
        }}
      />
    </AroundTime>
  );
}
