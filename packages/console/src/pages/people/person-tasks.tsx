import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { reasonText } from '../tasks/explanation.ts';
import { changeWords, doingWords } from '../tasks/task.ts';
import type { Person } from './person.ts';
import { personSearch } from './search.ts';

type Task = Item<'/api/tasks/'>;

const columns: Column<Task>[] = [
  { id: 'action', header: t`Task`, cell: doingWords },
  { id: 'app', header: t`App`, cell: ({ app }) => app.name },
  { id: 'changes', header: t`Changes`, cell: changeWords },
  { id: 'status', header: t`Status`, cell: ({ status }) => <Status of={status} /> },
  { id: 'reason', header: t`Reason`, cell: reasonText },
  { id: 'created_at', header: t`Created`, cell: ({ created_at }) => <Moment at={created_at} /> },
];

/** The tasks for a person's accounts, newest first. */
export function PersonTasks({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  return (
    <DataTable
      label={t`Tasks`}
      counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
      list={list('/api/tasks/', { query: { user: person.external_uuid } })}
      columns={columns}
      rowId={({ external_uuid }) => external_uuid}
      href={({ external_uuid }) => `/tasks/${external_uuid}`}
      page={at.page}
      onPage={(page) => go({ page })}
      empty={
        <Empty title={t`No tasks yet`}>
          <Trans>Tasks for this person's accounts appear here.</Trans>
        </Empty>
      }
    />
  );
}
