import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, get, list, ok } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { type Figure, Figures } from '../../kit/controls/figures.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { grouped } from '../../kit/text/words.ts';
import { ExcludedPeople } from '../../people/excluded.tsx';
import { UndecidedPeople } from '../../people/undecided.tsx';
import { ChangedAccess } from '../../tasks/changed-access.tsx';
import { changeWords, doingWords } from '../tasks/task.ts';
import { Contradictions } from './contradictions.tsx';
import { MissingAccess } from './missing-access.tsx';
import { policySearch } from './search.ts';

const PLANS = '/api/policies/{policy_id}/plans/';
const PLAN = '/api/policies/{policy_id}/plans/{plan_id}/';

/** Reads the tasks that the saved policy would create now. */
export const previewQuery = (policy_id: string) =>
  queryOptions({
    queryKey: ['/api/policies/{policy_id}/preview/', policy_id],
    queryFn: ({ signal }) =>
      ok(api.POST('/api/policies/{policy_id}/preview/', { params: { path: { policy_id } }, signal })),
  });

type Answer = Awaited<ReturnType<NonNullable<ReturnType<typeof previewQuery>['queryFn']>>>;
type Planned = Answer['tasks'][number];

const columns: Column<Planned>[] = [
  column.text('doing', t`Task`, doingWords, { csv: ({ action }) => action }),
  column.cell('who', t`Account`, { csv: ({ account, user }) => account?.email || user?.email }, (task) => (
    <AccountOrPerson task={task} />
  )),
  column.cell('app', t`App`, { csv: ({ app }) => app.name }, ({ app }) => (
    <TextLink to="/apps/$appId" params={{ appId: app.external_uuid }}>
      <Name of={app.name} />
    </TextLink>
  )),
  column.cell('changes', t`Groups and licenses`, { csv: (task) => changeWords(task) }, ({ changes, app }) => (
    <ChangedAccess of={changes} appId={app.external_uuid} />
  )),
  column.cell(
    'when',
    t`Scheduled for`,
    { csv: ({ execute_after }) => execute_after },
    ({ execute_after }) => <When at={execute_after} />,
  ),
];

const SOON_MS = 60_000;

function When({ at }: { at: string }) {
  return Date.parse(at) - Date.now() < SOON_MS ? t`Immediately` : <Moment at={at} />;
}

function AccountOrPerson({ task: { user, account, username } }: { task: Planned }) {
  if (account !== null)
    return (
      <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
        {account.email || user?.email || t`An account without an email`}
      </TextLink>
    );
  if (user === null) return '–';
  return (
    <>
      <TextLink to="/people/$userId" params={{ userId: user.external_uuid }}>
        <Name of={user.email} />
      </TextLink>
      {username != null && username !== user.email && (
        <>
          {' · '}
          <Name of={username} />
        </>
      )}
    </>
  );
}

/** The tasks that the policy would create if it ran now for everyone who matches: counts, then the list. */
export function Preview({ policyId }: { policyId: string }) {
  const preview = useQuery(previewQuery(policyId));
  if (preview.isLoadingError) return <Failure error={preview.error} again={() => void preview.refetch()} />;
  if (preview.data === undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t`Loading preview…`}
      </Text>
    );
  const { count, counts, needs_confirmation, undecided, excluded, not_started, missing, contradicts } =
    preview.data;
  return (
    <>
      <Text size="sm" mb="xs" role="status">
        {count === 0 ? (
          <Trans>
            <strong>This policy would create no tasks now</strong> if it ran for everyone who matches. No
            tasks have been created.
          </Trans>
        ) : (
          <Trans>
            <strong>
              This policy would create <Plural value={count} one="# task" other="# tasks" /> now
            </strong>{' '}
            if it ran for everyone who matches. No tasks have been created.
          </Trans>
        )}
      </Text>
      <Figures label={t`Effect of the tasks`} of={figuresOf(counts)} />
      <Contradictions of={contradicts} />
      <UndecidedPeople of={undecided} />
      <ExcludedPeople of={excluded} />
      {not_started > 0 && (
        <Text size="sm" mb="sm">
          <Plural
            value={not_started}
            one="# of these people has not started: their start date lies ahead."
            other="# of these people have not started: their start date lies ahead."
          />
        </Text>
      )}
      <MissingAccess of={missing} />
      {needs_confirmation && (
        <Alert color="yellow" mb="sm">
          {t`This exceeds the task limit or the daily budget of an app, and would wait for confirmation.`}
        </Alert>
      )}
      {count === 0 ? (
        <Empty title={t`No matching people or accounts need a task`} />
      ) : (
        <PlannedTasks policyId={policyId} />
      )}
    </>
  );
}

function figuresOf({ accounts, memberships }: Answer['counts']): Figure[] {
  return [
    [accounts.created, plural(accounts.created, { one: 'account created', other: 'accounts created' })],
    [
      accounts.unsuspended,
      plural(accounts.unsuspended, { one: 'account unsuspended', other: 'accounts unsuspended' }),
    ],
    [
      accounts.suspended,
      plural(accounts.suspended, { one: 'account suspended', other: 'accounts suspended' }),
    ],
    [accounts.removed, plural(accounts.removed, { one: 'account deleted', other: 'accounts deleted' })],
    [
      memberships.added,
      plural(memberships.added, { one: 'group or license added', other: 'groups and licenses added' }),
    ],
    [
      memberships.removed,
      plural(memberships.removed, { one: 'group or license removed', other: 'groups and licenses removed' }),
    ],
  ];
}

const GROWING_MS = 1500;

/** The whole list. The server writes it in the background, and the table shows the part that exists. */
function PlannedTasks({ policyId }: { policyId: string }) {
  const address = useAddress(policySearch);
  const started = useQuery({
    queryKey: [PLANS, policyId],
    queryFn: () => ok(api.POST(PLANS, { params: { path: { policy_id: policyId } } })),
    // Each plan is one run. A new one starts with the next preview, or after a change on this page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const path = { policy_id: policyId, plan_id: started.data?.plan_id ?? '' };
  const plan = useQuery({
    ...get(PLAN, { path, query: { limit: 1 } }),
    enabled: started.data !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? GROWING_MS : false),
  });
  const error = started.error ?? plan.error;
  if (error !== null) return <Failure error={error} again={() => void started.refetch()} />;
  const status = plan.data?.status ?? 'running';
  return (
    <>
      {status === 'running' && (
        <Text size="sm" c="dimmed" role="status" mb="xs">
          <Trans>Listing the tasks: {{ count: grouped(plan.data?.count ?? 0) }} so far.</Trans>
        </Text>
      )}
      {status === 'failed' && (
        <Alert color="red" mb="sm">
          {t`The list is incomplete because of an error. Hide and show the preview to try again.`}
        </Alert>
      )}
      {plan.data !== undefined && plan.data.count > 0 && (
        <ListTable
          address={address}
          label={t`Previewed tasks`}
          counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
          list={list(PLAN, { path })}
          columns={columns}
          rowId={(task) => JSON.stringify(task)}
          every={status === 'running' ? GROWING_MS : undefined}
          csv={t`policy preview`}
          empty={{ title: t`No tasks` }}
        />
      )}
    </>
  );
}
