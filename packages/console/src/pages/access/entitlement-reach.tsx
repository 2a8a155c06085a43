import { plural, t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { Graph } from '../../kit/chart/reach.ts';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { accountName } from '../accounts/account.ts';
import type { Member } from './member.ts';

const ReachGraph = lazyPart(
  async () => (await import('../../kit/chart/reach-graph.tsx')).ReachGraph<Member>,
  { fallback: <Skeleton height={240} /> },
);

const MEMBERS = '/api/apps/{app_id}/resources/{resource_id}/members/';

const accountLabel = (member: Member) => accountName({ ...member, external_id: null });

const columns: Column<Member>[] = [
  column.text('person', t`Person`, (member) => (member.user === null ? t`Nobody` : personLabel(member)), {
    csv: ({ user }) => user,
  }),
  column.email('account', t`Account`, accountLabel),
];

/** The member list has no names of people. The name of the account stands in. */
const personLabel = (member: Member) => member.display_name || member.email || t`Person`;

interface Props {
  appId: string;
  /** The group or license. */
  resourceId: string;
  name: string;
}

const LIMIT = 200;

/** A graph of who reaches a group or license, and through which account. Shows nothing if nobody does. */
export function EntitlementReach({ appId, resourceId, name }: Props) {
  const { data } = useQuery(
    get(MEMBERS, { path: { app_id: appId, resource_id: resourceId }, query: { limit: LIMIT } }),
  );
  if (data === undefined || data.results.length === 0) return null;
  const members = data.results;
  const people = new Map(members.flatMap((one) => (one.user === null ? [] : [[one.user, one] as const])));
  const graph: Graph = {
    lines: members.flatMap(({ user, external_uuid }) => [
      ...(user === null ? [] : [{ from: user, to: external_uuid }]),
      { from: external_uuid, to: resourceId },
    ]),
    columns: [
      {
        title: t`People`,
        nodes: [...people].map(([id, one]) => ({ id, label: personLabel(one), path: `/people/${id}` })),
      },
      {
        title: t`Accounts`,
        nodes: members.map((one) => ({
          id: one.external_uuid,
          label: accountLabel(one),
          path: `/accounts/${one.external_uuid}`,
        })),
      },
      { title: t`Group or license`, nodes: [{ id: resourceId, label: name }] },
    ],
  };
  const accountsText = plural(members.length, { one: '# account', other: '# accounts' });
  return (
    <ReachGraph
      label={t`Who reaches ${name}`}
      summary={
        data.count > members.length
          ? plural(people.size, {
              one: `# person reaches ${name} through the first ${accountsText}.`,
              other: `# people reach ${name} through the first ${accountsText}.`,
            })
          : plural(people.size, {
              one: `# person reaches ${name} through ${accountsText}.`,
              other: `# people reach ${name} through ${accountsText}.`,
            })
      }
      file="who-reaches"
      graph={graph}
      columns={columns}
      rows={members}
      rowId={({ external_uuid }) => external_uuid}
    />
  );
}
