import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppFilter } from '../../apps/app-picker.tsx';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Confirm } from '../../kit/controls/confirm.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { DataTable, type Selection } from '../../kit/table/data-table.tsx';
import { FilterChip, FilterSelect, Filters, Search } from '../../kit/table/filters.tsx';
import { ERROR_CODES, errorWord } from '../../tasks/task-errors.ts';
import { tasksCreated } from '../../tasks/tasks-created.ts';
import { columns } from './columns.tsx';
import { NewTask } from './new-task.tsx';
import { tasksSearch } from './search.ts';
import { ACTIONS, actionWord, isOpen, STATUSES, type Task, taskName } from './task.ts';

export function TasksPage() {
  const [at, go] = useAddress(tasksSearch);
  const { manages } = useMe();
  const { q, app, status, action, error, account, source } = at;
  const some = (q ?? app ?? status ?? action ?? error ?? account ?? source) !== undefined;
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
      <Filters
        some={some}
        clear={() =>
          go({
            q: undefined,
            app: undefined,
            status: undefined,
            action: undefined,
            error: undefined,
            account: undefined,
            source: undefined,
          })
        }
      >
        <Search label={t`Search by email`} value={q} set={(next) => go({ q: next })} />
        <AppFilter value={app} set={(next) => go({ app: next })} />
        <FilterSelect
          label={t`Status`}
          options={STATUSES.map((value) => ({ value, label: statusWord(value) }))}
          value={status}
          set={(next) => go({ status: next as typeof status })}
        />
        <FilterSelect
          label={t`Task`}
          options={ACTIONS.map((value) => ({ value, label: actionWord(value) }))}
          value={action}
          set={(next) => go({ action: next as typeof action })}
        />
        <FilterSelect
          label={t`Error`}
          options={ERROR_CODES.map((value) => ({ value, label: errorWord(value) }))}
          value={error}
          set={(next) => go({ error: next as typeof error })}
        />
        {account !== undefined && (
          <FilterChip label={t`One account only`} remove={() => go({ account: undefined })} />
        )}
        {source !== undefined && (
          <FilterChip label={t`One restore only`} remove={() => go({ source: undefined })} />
        )}
      </Filters>
      {app !== undefined && <NobodyCarriesOut key={app} appId={app} />}
      <DataTable
        label={t`Tasks`}
        counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
        list={list('/api/tasks/', {
          query: { email: q, app, status, action, error_code: error, account, source },
        })}
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
          some ? (
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
  const [asking, ask] = useState(false);
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
      <Button variant="outline" color="red" onClick={() => ask(true)}>
        <Trans>Cancel open tasks</Trans>
      </Button>
      <Confirm
        opened={asking}
        close={() => ask(false)}
        title={t`Cancel open tasks among ${some}?`}
        action={t`Cancel tasks`}
        type="cancel"
        act={async () =>
          setJob({
            title: t`Cancel open tasks among ${some}`,
            rows: async () => (await selection.rows()).filter(isOpen),
            act: (task) => ok(api.POST('/api/tasks/{task_id}/cancel/', { ...path(task), body: {} })),
            outcome: async ({ length }) =>
              plural(length, { one: '# task canceled.', other: '# tasks canceled.' }),
            name: taskName,
          })
        }
      >
        <Trans>
          Connectors will not receive the scheduled and pending tasks among them. If a connector has already
          started one, the next sync shows what it did.
        </Trans>
      </Confirm>
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
