import { plural, t } from '@lingui/core/macro';
import { Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { get, type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AroundTime, boundColumns, certaintyColumn } from '../../history/certainty.tsx';
import { addressAt, pastQuery, useCoverage } from '../../history/past.ts';
import { NothingThen, PastBanner } from '../../history/past-banner.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import * as column from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { FilterSelect, Filters, Search } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import type { App } from './app.ts';
import { LicenseTrend } from './license-trend.tsx';
import { appSearch } from './search.ts';
import { Seats } from './seats.tsx';

type At = ReturnType<typeof appSearch>;
type Resource = Item<'/api/apps/{app_id}/resources/'>;

interface Props {
  app: App;
  type: 'group' | 'license';
}

/** The words for groups and for licenses. */
const WORDS = {
  group: {
    never: t`This app has no groups`,
    unmatched: t`No groups match these filters`,
    clear: t`Clear the filters to see all groups.`,
    past: t`No groups`,
    none: t`No groups yet`,
    counted: (n: number) => plural(n, { one: '# group', other: '# groups' }),
  },
  license: {
    never: t`This app has no licenses`,
    unmatched: t`No licenses match these filters`,
    clear: t`Clear the filters to see all licenses.`,
    past: t`No licenses`,
    none: t`No licenses yet`,
    counted: (n: number) => plural(n, { one: '# license', other: '# licenses' }),
  },
} as const;

/** The groups or licenses of one resource type. */
export function AppResources({ app, type }: Props) {
  const [at, go] = useAddress(appSearch);
  const { readsAll } = useMe();
  const isPast = at.as_of !== undefined;
  const columns = useMemo(() => columnsOf(type, readsAll, isPast), [type, readsAll, isPast]);
  const path = { app_id: app.external_uuid };
  const types = useQuery(get('/api/apps/{app_id}/resource-types/', { path, query: { limit: 200 } }));

  const own = types.data?.results.filter((one) => one.type === type);
  const chosen = own?.find(({ slug }) => slug === at.slug) ?? own?.[0];
  const source = list('/api/apps/{app_id}/resources/', {
    path,
    query: {
      slug: chosen?.slug,
      q: at.q,
      ...(isPast
        ? pastQuery(at)
        : { active: at.gone !== true, risk: type === 'group' ? at.risk : undefined, hidden: at.hidden }),
    },
  });
  const coverage = useCoverage(source, isPast && chosen !== undefined && at.resource === undefined);

  if (types.isLoadingError) return <Failure error={types.error} again={() => void types.refetch()} />;
  if (own === undefined) return null;
  const words = WORDS[type];
  if (chosen === undefined) {
    return <Empty title={words.never}>{t`Run its connector to import them.`}</Empty>;
  }
  if (at.resource !== undefined) {
    const params = { resourceId: at.resource };
    return <Navigate replace to="/access/$resourceId" params={params} search={pastQuery(at)} />;
  }

  const filtered = isFiltered(at);
  const { name: appName } = app;
  const { name: typeName, slug } = chosen;
  return (
    <>
      <PastControls of={{ app: app.external_uuid }} at={at} go={go} />
      {isPast && <PastBanner at={at} go={go} coverage={coverage} />}
      <Filters
        some={filtered}
        clear={() => go({ q: undefined, gone: undefined, risk: undefined, hidden: undefined })}
      >
        <Search label={t`Search by name`} value={at.q} set={(q) => go({ q })} />
        {own.length > 1 && (
          <FilterSelect
            label={t`Type`}
            options={own.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={chosen.slug}
            set={(slug) => go({ slug })}
          />
        )}
        {!isPast && type === 'group' && <RiskFilter risk={at.risk} set={(risk) => go({ risk })} />}
        {!isPast && <Switches app={app} at={at} go={go} />}
      </Filters>
      <AroundTime value={coverage}>
        <DataTable
          label={t`${typeName} of ${appName}`}
          counted={words.counted}
          list={source}
          columns={columns}
          exported={isPast ? [...hiddenColumns, ...boundColumns] : hiddenColumns}
          href={readsAll ? ({ external_uuid }) => addressAt(`/access/${external_uuid}`, at) : undefined}
          page={at.page}
          onPage={(page) => go({ page })}
          csv={t`${slug} of ${appName}`}
          empty={
            filtered ? (
              <Empty title={words.unmatched}>{words.clear}</Empty>
            ) : isPast ? (
              <NothingThen at={at} coverage={coverage} none={words.past} />
            ) : (
              <Empty title={words.none}>{t`Run a sync to import them.`}</Empty>
            )
          }
        />
      </AroundTime>
      {type === 'license' && readsAll && !isPast && <LicenseTrend app={app} title={t`Last 12 months`} />}
    </>
  );
}

function Switches({ app, at, go }: { app: App; at: At; go: (change: At) => void }) {
  const hides = at.hidden === true || (app.unseen_counts?.members ?? 0) > 0;
  return (
    <>
      <Switch
        label={t`Show deleted`}
        checked={at.gone === true}
        onChange={({ currentTarget }) => go({ gone: currentTarget.checked || undefined })}
      />
      {hides && (
        <Switch
          label={t`With hidden members`}
          checked={at.hidden === true}
          onChange={({ currentTarget }) => go({ hidden: currentTarget.checked || undefined })}
        />
      )}
    </>
  );
}

const isFiltered = ({ q, gone, risk, hidden, as_of }: At) =>
  q !== undefined || (as_of === undefined && (gone === true || risk !== undefined || hidden === true));

const hiddenColumns: readonly Column<Resource>[] = [column.text('hidden_members', t`Hidden members`)];

const RISKS = { low: t`Low`, medium: t`Medium`, high: t`High` };
const RISK_OPTIONS = Object.entries(RISKS).map(([value, label]) => ({ value, label }));

function RiskFilter({ risk, set }: { risk: At['risk']; set: (risk: At['risk']) => void }) {
  return (
    <FilterSelect
      label={t`Risk`}
      options={RISK_OPTIONS}
      value={risk}
      set={(value) => set(value as At['risk'])}
    />
  );
}

function columnsOf(type: Props['type'], readsAll: boolean, isPast: boolean): Column<Resource>[] {
  const name: Column<Resource> = column.name('name', t`Name`, ({ id, name }) => name || id, {
    csv: (row) => row.name,
  });
  const members: Column<Resource> = column.cell(
    'members',
    t`Accounts`,
    { right: true, csv: (row) => row.members },
    ({ members, members_more, hidden_members }) => {
      if (members === null) return '';
      const shown = grouped(members);
      const count = members_more === true ? t`more than ${shown}` : shown;
      if (hidden_members === null || hidden_members === 0) return count;
      const hidden = grouped(hidden_members);
      return t`${count} and ${hidden} hidden`;
    },
  );
  const id: Column<Resource> = column.cell('id', t`External ID`, { csv: (row) => row.id }, ({ id }) => (
    <Text size="sm">{id}</Text>
  ));
  const description: Column<Resource> = column.text('description', t`Description`);
  const risk: Column<Resource> = column.text(
    'risk',
    t`Risk`,
    (row) => (row.risk == null ? '' : RISKS[row.risk]),
    { csv: (row) => row.risk ?? '' },
  );
  const owner: Column<Resource> = column.text(
    'owner',
    t`Owner`,
    (row) => (row.owner == null ? (row.owner_email ?? '') : personName(row.owner)),
    { csv: (row) => row.owner_email ?? '' },
  );
  const counted = readsAll ? [id, members] : [];
  // The number of seats at an earlier time is not on record.
  if (isPast) return [name, description, ...counted, certaintyColumn];
  if (type === 'group') return [name, description, risk, owner, ...counted];
  return [
    name,
    column.cell(
      'seats',
      t`Seats`,
      { csv: ({ used_count, members, max_count }) => `${used_count ?? members ?? ''} of ${max_count ?? ''}` },
      (row) => <Seats license={row} />,
    ),
    column.code('is_paid', t`Paid`, yesOrNo),
    ...counted,
  ];
}

const yesOrNo = (value: boolean | null) => (value === null ? '' : value ? t`Yes` : t`No`);
