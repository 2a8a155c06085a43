import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppFilter } from '../../apps/app-picker.tsx';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { DataTable, type Selection } from '../../kit/table/data-table.tsx';
import { asked, filtersOf, isFiltered, ListFilters } from '../../kit/table/list-filters.tsx';
import { ERROR_CODES, errorWord } from '../../tasks/task-errors.ts';
import { tasksCreated } from '../../tasks/tasks-created.ts';
import { columns } from './columns.tsx';
import { NewTask } from './new-task.tsx';
import { tasksSearch } from './search.ts';
import { ACTIONS, actionWord, isOpen, STATUSES, type Task, taskName } from './task.ts';

const { search, select, chip, field } = filtersOf(tasksSearch);
const FILTERS = [
  search('q', t`Search by email`),
  field('app', ({ app }, go) => <AppFilter value={app} set={(next) => go({ app: next })} />),
  select(
    'status',
    t`Status`,
    STATUSES.map((value) => ({ value, label: statusWord(value) })),
  ),
  select(
    'action',
    t`Task`,
    ACTIONS.map((value) => ({ value, label: actionWord(value) })),
  ),
  select(
    'error',
    t`Error`,
    ERROR_CODES.map((value) => ({ value, label: errorWord(value) })),
  ),
  chip('account', t`One account only`),
  chip('source', t`One restore only`),
];

export function TasksPage() {
  const [at, go] = useAddress(tasksSearch);
  const { manages } = useMe();
  const { q: email, error: error_code, ...query } = asked(at, FILTERS);
  const { app } = query;
  return (
    <>
      <PageHeader
        title={t`Tasks`}
        about={t`Changes that connectors or people carry out in apps, newest first.`}
        actions={
          manages && (
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => go({ new: 'task' })}>
              <Trans>Create task</Trans>
            </Button>
          )
        }
      />
      <ListFilters at={at} go={go} declared={FILTERS} />
      {app !== undefined && <NobodyCarriesOut key={app} appId={app} />}
      <DataTable
        label={t`Tasks`}
        counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
        list={list('/api/tasks/', { query: { email, error_code, ...query } })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        rowName={taskName}
        href={({ external_uuid }) => `/tasks/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="tasks"
        every={10_000}
        {...(manages ? { actions: (selection: Selection<Task>) => <BulkActions of={selection} /> } : {})}
        empty={
          isFiltered(at, FILTERS) ? (
            <Empty title={t`No tasks match these filters`}>
              <Trans>Clear a filter to see more tasks.</Trans>
            </Empty>
          ) : (
            <Empty title={t`No tasks yet`}>
              <Trans>Requests, reviews, policies and administrators create tasks.</Trans>
            </Empty>
          )
        }
      />
      {manages && <NewTask opened={at.new === 'task'} close={() => go({ new: undefined })} />}
    </>
  );
}

/** Retries the failed tasks or cancels the open ones in a selection. */
function BulkActions({ of: selection }: { of: Selection<Task> }) {
  const [job, setJob] = useState<Bulk<Task, Task>>();
  const path = ({ external_uuid }: Task) => ({ params: { path: { task_id: external_uuid } } });
  const some = plural(selection.count, { one: '# task', other: '# tasks' });
  return (
    <>
      <Button
        variant="default"
        onClick={() =>
          setJob({
            title: t`Retry failed tasks among ${some}`,
            rows: async () => (await selection.rows()).filter(({ status }) => status === 'failed'),
            act: (task) => ok(api.POST('/api/tasks/{task_id}/retry/', path(task))),
            outcome: tasksCreated,
            name: taskName,
          })
        }
      >
        <Trans>Retry failed tasks</Trans>
      </Button>
      <ActionButton
        variant="outline"
        label={t`Cancel open tasks`}
        of={{
          title: t`Cancel open tasks among ${some}?`,
          sentence: t`Connectors will not receive the scheduled and pending tasks among them. If a connector has already started one, the next sync shows what it did.`,
          button: t`Cancel tasks`,
          type: 'cancel',
          request: async () =>
            setJob({
              title: t`Cancel open tasks among ${some}`,
              rows: async () => (await selection.rows()).filter(isOpen),
              act: (task) => ok(api.POST('/api/tasks/{task_id}/cancel/', { ...path(task), body: {} })),
              outcome: async ({ length }) =>
                plural(length, { one: '# task canceled.', other: '# tasks canceled.' }),
              name: taskName,
            }),
        }}
      />
      <BulkJob
        job={job}
        close={() => {
          setJob(undefined);
          selection.clear();
        }}
      />
    </>
  );
}
