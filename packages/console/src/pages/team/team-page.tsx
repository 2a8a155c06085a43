import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { teamSearch } from './search.ts';

type Report = Item<'/api/my-team/'>;

const columns: Column<Report>[] = [
  column.cell('person', t`Person`, (report) => (
    <>
      <strong>
        <Name of={personName(report)} />
      </strong>
      <Text size="xs" c="dimmed" fw={400}>
        <Name of={report.title ?? report.email} />
      </Text>
    </>
  )),
  column.status('status', t`Status`),
  column.cell('access', t`Access`, ({ access }) => <Access of={access} />),
  column.moment('last_sign_in', t`Last sign-in`, ({ access }) => access.last_sign_in_at, {
    none: t`Unknown`,
  }),
  column.cell('requests', t`Open requests`, ({ requests }) => <Requests of={requests} />),
  column.cell('reviews', t`Reviews`, ({ reviews }) => <Reviews of={reviews} />),
];

function Access({ of: { accounts, groups, licenses } }: { of: Report['access'] }) {
  if (accounts === 0) return t`No accounts`;
  const parts = [
    plural(accounts, { one: '# account', other: '# accounts' }),
    plural(groups, { one: '# group', other: '# groups' }),
    plural(licenses, { one: '# license', other: '# licenses' }),
  ];
  return parts.join(' · ');
}

function Requests({ of: requests }: { of: Report['requests'] }) {
  if (requests.length === 0) return t`None`;
  const mine = requests.filter(({ to_decide }) => to_decide).length;
  return mine === 0 ? (
    grouped(requests.length)
  ) : (
    <Status of="to-decide" look="warn" word={plural(mine, { one: '# to decide', other: '# to decide' })} />
  );
}

function Reviews({ of: [review] }: { of: Report['reviews'] }) {
  if (review === undefined) return t`None`;
  const { to_decide, undecided, due_at } = review;
  return (
    <>
      {to_decide > 0 ? (
        <Status
          of="to-review"
          look="warn"
          word={plural(to_decide, { one: '# item to review', other: '# items to review' })}
        />
      ) : (
        <Plural value={undecided} one="# undecided item" other="# undecided items" />
      )}
      {due_at !== null && (
        <>
          <br />
          <Trans>
            Due <Moment at={due_at} />
          </Trans>
        </>
      )}
    </>
  );
}

const FILTERS = [filtersOf(teamSearch).search('q', t`Search by name or email`)];

/** The people who report to the signed-in person. */
export function TeamPage() {
  const [at, go] = useAddress(teamSearch);
  return (
    <ListPage
      title={t`My team`}
      about={t`The people who report to you, with their access.`}
      address={[at, go]}
      filters={FILTERS}
      counted={(n) => plural(n, { one: '# person', other: '# people' })}
      list={list('/api/my-team/', { query: { q: at.q } })}
      columns={columns}
      href={({ external_uuid }) => `/team/${external_uuid}`}
      every={60_000}
      empty={{
        title: t`Nobody reports to you`,
        text: t`People appear here when you are recorded as their manager.`,
      }}
      unmatched={{ title: t`No people match these filters` }}
    />
  );
}
