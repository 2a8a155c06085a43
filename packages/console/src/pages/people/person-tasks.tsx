import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { reasonText } from '../tasks/explanation.ts';
import { changeWords, doingWords, takesAway } from '../tasks/task.ts';
import type { Person } from './person.ts';
import { personSearch } from './search.ts';

type Task = Item<'/api/tasks/'>;

const columns: Column<Task>[] = [
  column.cell('action', t`Task`, doingWords),
  column.text('app', t`App`, ({ app }) => app.name),
  column.cell('changes', t`Changes`, changeWords),
  column.status('status', t`Status`),
  column.cell('reason', t`Reason`, reasonText),
  column.moment('created_at', t`Created`),
  column.cell('proof', t`Proof`, (task) => takesAway(task) && <Proof of={task} />),
];

const Proof = ({ of: { external_uuid: taskId } }: { of: Task }) => (
  <TextLink to="/tasks/$taskId/proof" params={{ taskId }}>
    <Trans>Show proof</Trans>
  </TextLink>
);

/** The tasks for a person's accounts, newest first. */
export function PersonTasks({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  return (
    <ListTable
      address={[{ page: at.tasks }, ({ page: tasks }) => go({ tasks, page: at.page })]}
      label={t`Tasks`}
      counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
      list={list('/api/tasks/', { query: { user: person.external_uuid } })}
      columns={columns}
      href={({ external_uuid }) => `/tasks/${external_uuid}`}
      empty={{ title: t`No tasks yet`, text: t`Tasks for this person's accounts appear here.` }}
    />
  );
}
