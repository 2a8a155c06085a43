import { useQueries, useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, TableView } from '../../parts/table-view.tsx';
import { changeWords, doingWords } from '../tasks/task.ts';
import type { Person } from './person.ts';

type Task = Item<'/api/tasks/'>;

const MOST_ACCOUNTS = 20;
const MOST_OF_EACH = 20;

const columns: Column<Task>[] = [
  { id: 'action', header: 'Task', cell: doingWords },
  { id: 'app', header: 'App', cell: ({ app }) => app.name },
  { id: 'changes', header: 'What', cell: changeWords },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reason ?? '' },
  { id: 'created_at', header: 'Made', cell: ({ created_at }) => <Moment at={created_at} /> },
];

/** The newest tasks about a person's accounts: the API lists tasks by account. */
export function PersonTasks({ person }: { person: Person }) {
  const accounts = useQuery(
    get('/api/accounts/', { query: { user: person.external_uuid, limit: MOST_ACCOUNTS } }),
  );
  const answers = useQueries({
    queries: (accounts.data?.results ?? []).map(({ external_uuid }) =>
      get('/api/tasks/', { query: { account: external_uuid, limit: MOST_OF_EACH } }),
    ),
  });
  const failed = [accounts, ...answers].find(({ isError }) => isError);
  if (failed !== undefined) return <Failure error={failed.error} again={() => void failed.refetch()} />;
  const isRead = accounts.isSuccess && answers.every(({ isSuccess }) => isSuccess);
  const tasks = answers
    .flatMap(({ data }) => data?.results ?? [])
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  return (
    <TableView
      label="Tasks about their accounts"
      columns={columns}
      rows={isRead ? tasks : undefined}
      rowId={({ external_uuid }) => external_uuid}
      href={({ external_uuid }) => `/tasks/${external_uuid}`}
      empty={
        <Empty title="No task yet">What connectors are asked to do about their accounts stands here.</Empty>
      }
    />
  );
}
