import { Alert, Button, Group, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, ok } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type Column, TableView } from '../../parts/table-view.tsx';
import { counted, grouped } from '../../parts/words.ts';
import { changeWords, doingWords } from '../tasks/task.ts';
import classes from './policies.module.css';

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
  { id: 'doing', header: 'Task', cell: doingWords },
  { id: 'who', header: 'Account', cell: (task) => <AccountOrPerson task={task} /> },
  {
    id: 'app',
    header: 'App',
    cell: ({ app }) => (
      <TextLink to="/apps/$appId" params={{ appId: app.external_uuid }}>
        {app.name}
      </TextLink>
    ),
  },
  { id: 'changes', header: 'Groups and licenses', cell: (task) => changeWords(task) || '–' },
  { id: 'when', header: 'Scheduled for', cell: ({ execute_after }) => <When at={execute_after} /> },
];

const SOON_MS = 60_000;

function When({ at }: { at: string }) {
  return Date.parse(at) - Date.now() < SOON_MS ? 'Immediately' : <Moment at={at} />;
}

function AccountOrPerson({ task: { user, account } }: { task: Planned }) {
  if (account !== null)
    return (
      <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
        {account.email || user?.email || 'An account without an email'}
      </TextLink>
    );
  if (user === null) return '–';
  return (
    <TextLink to="/people/$userId" params={{ userId: user.external_uuid }}>
      {user.email}
    </TextLink>
  );
}

const PAGE = 25;

interface Props {
  policyId: string;
  page: number | undefined;
  onPage: (page: number | undefined) => void;
}

/** The tasks that the policy would create if it ran now for everyone who matches. Creates nothing. */
export function Preview({ policyId, page = 1, onPage }: Props) {
  const preview = useQuery(previewQuery(policyId));
  const top = useRef<HTMLParagraphElement>(null);
  const turn = (next: number | undefined) => {
    onPage(next);
    top.current?.scrollIntoView();
  };
  if (preview.isError) return <Failure error={preview.error} again={() => void preview.refetch()} />;
  if (preview.data === undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        Loading preview…
      </Text>
    );
  const { count, tasks, needs_confirmation } = preview.data;
  const pages = Math.max(1, Math.ceil(tasks.length / PAGE));
  const start = (Math.min(page, pages) - 1) * PAGE;
  return (
    <>
      <Text size="sm" mb="xs" role="status" ref={top} className={classes.top ?? ''}>
        <strong>This policy would create {count === 0 ? 'no tasks' : counted(count, 'task')} now</strong> if
        it ran for everyone who matches. No tasks have been created.
      </Text>
      {needs_confirmation && (
        <Alert color="yellow" mb="sm">
          This exceeds the task limit or the daily budget of an app, and would wait for confirmation.
        </Alert>
      )}
      <TableView
        label="Previewed tasks"
        columns={columns}
        rows={tasks.slice(start, start + PAGE)}
        rowId={(task) => String(tasks.indexOf(task))}
        empty={<Empty title="No matching people or accounts need a task" />}
      />
      {pages > 1 && (
        <Group justify="space-between" mt="xs">
          <Text size="sm" c="dimmed">
            {count > tasks.length && `The first ${grouped(tasks.length)} of ${grouped(count)}, `}
            page {grouped(Math.min(page, pages))} of {grouped(pages)}
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              disabled={page <= 1}
              onClick={() => turn(page === 2 ? undefined : Math.min(page, pages) - 1)}
            >
              Previous
            </Button>
            <Button variant="default" disabled={page >= pages} onClick={() => turn(page + 1)}>
              Next
            </Button>
          </Group>
        </Group>
      )}
    </>
  );
}
