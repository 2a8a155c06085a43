import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';

export type Task = Item<'/api/tasks/'>;
type Event = Item<'/api/events/'>;

/** How an account came by a group or a license. */
export interface Origin {
  by: 'task' | 'sync';
  task: Task | undefined;
  /** Null where nobody wrote it down: a first sync tells of no record (D27), and no sync of a license. */
  since: string | null;
}

const MOST = 200;

/** Where each group and license came from: the event of it, else the newest task that gave it, else a sync. */
export function useOrigins(accountId: string, readsEvents: boolean) {
  const tasks = useQuery(get('/api/tasks/', { query: { account: accountId, limit: MOST } }));
  const events = useQuery({
    ...get('/api/events/', {
      query: { subject_uuid: accountId, event_type: 'account.group.added', limit: MOST },
    }),
    enabled: readsEvents,
  });
  const originOf = (slug: string, id: string): Origin => {
    const event = events.data?.results.find(({ payload }) => gave(payload, slug, id));
    const task = tasks.data?.results.find((one) =>
      event?.payload.task_id === undefined
        ? gives(one, slug, id)
        : one.external_uuid === event.payload.task_id,
    );
    if (event !== undefined && event.source.type === 'sync') {
      return { by: 'sync', task: undefined, since: event.occurred_at };
    }
    if (task === undefined) return { by: 'sync', task, since: event?.occurred_at ?? null };
    return { by: 'task', task, since: event?.occurred_at ?? task.ended_at };
  };
  return { tasks, originOf };
}

const gave = ({ resource_type, group_external_id }: Event['payload'], slug: string, id: string) =>
  resource_type === slug && group_external_id === id;

const gives = ({ status, changes }: Task, slug: string, id: string) =>
  status === 'completed' && (changes[slug]?.added.some((one) => one.id === id) ?? false);
