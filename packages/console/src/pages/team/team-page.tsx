import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { Filters, Search } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { grouped, personName } from '../../kit/text/words.ts';
import { teamSearch } from './search.ts';

type Report = Item<'/api/my-team/'>;

const columns: Column<Report>[] = [
  {
    id: 'person',
    header: t`Person`,
    cell: (report) => (
      <>
        <strong>
          <Name of={personName(report)} />
        </strong>
        <Text size="xs" c="dimmed" fw={400}>
          <Name of={report.title ?? report.email} />
        </Text>
      </>
    ),
  },
  { id: 'status', header: t`Status`, cell: ({ status }) => <Status of={status} /> },
  { id: 'access', header: t`Access`, cell: ({ access }) => <Access of={access} /> },
  {
    id: 'last_sign_in',
    header: t`Last sign-in`,
    cell: ({ access }) => <Moment at={access.last_sign_in_at} none={t`Unknown`} />,
  },
  { id: 'requests', header: t`Open requests`, cell: ({ requests }) => <Requests of={requests} /> },
  { id: 'reviews', header: t`Reviews`, cell: ({ reviews }) => <Reviews of={reviews} /> },
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

/** The people who report to the signed-in person. */
export function TeamPage() {
  const [at, go] = useAddress(teamSearch);
  return (
    <>
      <PageHeader title={t`My team`} about={t`The people who report to you, with their access.`} />
      <Filters some={at.q !== undefined} clear={() => go({ q: undefined })}>
        <Search label={t`Search by name or email`} value={at.q} set={(q) => go({ q })} />
      </Filters>
      <DataTable
        label={t`My team`}
        counted={(n) => plural(n, { one: '# person', other: '# people' })}
        list={list('/api/my-team/', { query: { q: at.q } })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/team/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        every={60_000}
        empty={
          at.q === undefined ? (
            <Empty title={t`Nobody reports to you`}>
              <Trans>People appear here when you are recorded as their manager.</Trans>
            </Empty>
          ) : (
            <Empty title={t`No people match these filters`} />
          )
        }
      />
    </>
  );
}
