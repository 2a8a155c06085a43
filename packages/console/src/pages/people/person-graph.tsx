import { plural, t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';
import type { Graph } from '../../kit/chart/reach.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { accountName } from '../accounts/account.ts';
import type { Person } from './person.ts';

const ReachGraph = lazyPart(async () => (await import('../../kit/chart/reach-graph.tsx')).ReachGraph<Reach>, {
  fallback: <Skeleton height={240} />,
});

type Account = Item<'/api/accounts/'>;

/** One way from the person to an app: an account, and a group or license that it has. */
interface Reach {
  id: string;
  account: string;
  held: string;
  app: string;
}

const columns: Column<Reach>[] = [
  column.text('account', t`Account`),
  column.text('held', t`Group or license`),
  column.text('app', t`App`),
];

const LIMIT = 200;

/** A graph of a person's access: their accounts, the groups and licenses of these, and the apps. */
export function PersonGraph({ person }: { person: Person }) {
  const { data, error, refetch } = useQuery(
    get('/api/accounts/', { query: { user: person.external_uuid, limit: LIMIT } }),
  );
  if (error !== null) return <Failure error={error} again={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  const accounts = data.results.filter(({ status }) => status !== 'INACTIVE');
  if (accounts.length === 0) return <Empty title={t`No accounts yet`} />;
  const { graph, rows } = reachOf(person, accounts);
  const [apps, held] = [
    new Set(accounts.map(({ app }) => app.external_uuid)).size,
    new Set(rows.filter((row) => row.held !== '').map((row) => `${row.app} ${row.held}`)).size,
  ];
  const name = personName(person);
  const [accountsText, heldText, appsText] = [
    plural(accounts.length, { one: '# account', other: '# accounts' }),
    plural(held, { one: '# group or license', other: '# groups and licenses' }),
    plural(apps, { one: '# app', other: '# apps' }),
  ];
  return (
    <ReachGraph
      label={t`Access of ${name}`}
      summary={t`${name} has ${accountsText} with ${heldText} in ${appsText}.`}
      file="access-graph"
      graph={graph}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
    />
  );
}

function reachOf(person: Person, accounts: Account[]): { graph: Graph; rows: Reach[] } {
  const held = new Map<string, { id: string; label: string }>();
  const apps = new Map<string, { id: string; label: string; path: string }>();
  const lines: Graph['lines'] = [];
  const rows: Reach[] = [];
  for (const account of accounts) {
    const { external_uuid: id, app } = account;
    apps.set(app.external_uuid, {
      id: app.external_uuid,
      label: app.name,
      path: `/apps/${app.external_uuid}`,
    });
    lines.push({ from: person.external_uuid, to: id });
    const refs = Object.entries({ ...account.memberships, ...account.assignments }).flatMap(([slug, all]) =>
      all.map((ref) => ({ key: `${app.external_uuid} ${slug} ${ref.id}`, label: ref.name || ref.id })),
    );
    for (const { key, label } of refs) {
      held.set(key, { id: key, label });
      lines.push({ from: id, to: key });
      if (!lines.some(({ from }) => from === key)) lines.push({ from: key, to: app.external_uuid });
      rows.push({ id: `${id} ${key}`, account: accountName(account), held: label, app: app.name });
    }
    if (refs.length === 0) {
      const none = { id: `${id} none`, label: t`No groups or licenses` };
      held.set(none.id, none);
      lines.push({ from: id, to: none.id }, { from: none.id, to: app.external_uuid });
      rows.push({ id, account: accountName(account), held: '', app: app.name });
    }
  }
  return {
    rows,
    graph: {
      lines,
      columns: [
        { title: t`Person`, nodes: [{ id: person.external_uuid, label: personName(person) }] },
        {
          title: t`Accounts`,
          nodes: accounts.map((account) => {
            const id = account.external_uuid;
            const label = accountName(account);
            const app = account.app.name;
            return { id, label, title: t`${label} in ${app}`, path: `/accounts/${id}` };
          }),
        },
        { title: t`Groups and licenses`, nodes: [...held.values()] },
        { title: t`Apps`, nodes: [...apps.values()] },
      ],
    },
  };
}
