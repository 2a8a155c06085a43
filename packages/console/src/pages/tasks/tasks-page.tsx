import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useWork } from '../../api/work.ts';
import { AppFilter } from '../../apps/app-picker.tsx';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { statusWord } from '../../kit/controls/status.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import type { Selection } from '../../kit/table/data-table.tsx';
import { asked, filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import { ERROR_CODES, errorWord } from '../../tasks/task-errors.ts';
import { tasksCreated } from '../../tasks/tasks-created.ts';
import { ByHandList } from '../by-hand/by-hand-list.tsx';
import { columns } from './columns.tsx';
import { NewTask } from './new-task.tsx';
import { tasksSearch } from './search.ts';
import { ACTIONS, actionWord, isOpen, STATUSES, type Task, taskName } from './task.ts';

const { search, select, chip, field } = filtersOf(tasksSearch);
const FILTERS = [
  search('q', t`Search by email`),
  field('app', ({ app }, go) => <AppFilter value={app} set={(next) => go({ app: next })} />),
  select('status', t`Status`, STATUSES, statusWord),
  select('action', t`Task`, ACTIONS, actionWord),
  select('error', t`Error`, ERROR_CODES, errorWord),
  chip('account', t`One account only`),
  chip('source', t`One restore only`),
];

/** The person's tasks, those that people carry out, or all: what the person may choose from depends on their role. */
export function TasksPage() {
  const [{ whose }, go] = useAddress(tasksSearch);
  const { me, readsAll } = useMe();
  const hasOthers = useWork()?.tasks.others === true;
  if (me === undefined) return null;
  const shown = whose ?? (readsAll ? 'all' : 'mine');
  const view = (one: typeof shown, words: string) => (
    <View pressed={shown === one} onClick={() => go({ whose: one === 'all' ? undefined : one })}>
      {words}
    </View>
  );
  const views = (readsAll || hasOthers) && (
    <Views label={t`View`}>
      {view('mine', t`Mine`)}
      {view('by_hand', readsAll ? t`By hand` : t`All`)}
      {readsAll && view('all', t`All`)}
    </Views>
  );
  return shown === 'all' && readsAll ? (
    <AllTasks views={views} />
  ) : (
    <ByHandList isMine={shown !== 'by_hand'} views={views} />
  );
}

function AllTasks({ views }: { views: ReactNode }) {
  const [at, go] = useAddress(tasksSearch);
  const { manages } = useMe();
  const { q: email, error: error_code, ...query } = asked(at, FILTERS);
  const { app } = query;
  return (
    <ListPage
      title={t`Tasks`}
      about={t`Changes that connectors or people carry out in apps, newest first.`}
      buttons={
        manages && (
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => go({ new: 'task' })}>
            {t`Create task`}
          </Button>
        )
      }
      top={views}
      address={[at, go]}
      filters={FILTERS}
      note={app !== undefined && <NobodyCarriesOut key={app} appId={app} />}
      counted={(n) => plural(n, { one: '# task', other: '# tasks' })}
      list={list('/api/tasks/', { query: { email, error_code, ...query } })}
      columns={columns}
      rowName={taskName}
      href={({ external_uuid }) => `/tasks/${external_uuid}`}
      csv="tasks"
      every={10_000}
      actions={manages && ((selection) => <BulkActions of={selection} />)}
      empty={{
        title: t`No tasks yet`,
        text: t`Requests, reviews, policies and administrators create tasks.`,
      }}
      unmatched={{ title: t`No tasks match these filters`, text: t`Clear a filter to see more tasks.` }}
    >
      {manages && <NewTask opened={at.new === 'task'} close={() => go({ new: undefined })} />}
    </ListPage>
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
        {t`Retry failed tasks`}
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
