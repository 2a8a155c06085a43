import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';

export type Task = Item<'/api/tasks/'>;
type Event = Item<'/api/events/'>;

const LIMIT = 200;

/**
 * Finds the task that granted a group or license to an account: the one that the event names, or else the newest
 * completed task that added it. Returns null for entitlements discovered by a sync, and undefined while this loads.
 */
export function useGrantingTasks(accountId: string, readsEvents: boolean) {
  const tasks = useQuery(get('/api/tasks/', { query: { account: accountId, limit: LIMIT } }));
  const events = useQuery({
    ...get('/api/events/', {
      query: { subject_uuid: accountId, event_type: 'account.group.added', limit: LIMIT },
    }),
    enabled: readsEvents,
  });
  const grantingTask = (slug: string, id: string): Task | null | undefined => {
    if (tasks.data === undefined || (readsEvents && events.isPending)) return undefined;
    const event = events.data?.results.find(({ payload }) => records(payload, slug, id));
    if (event?.source.type === 'sync') return null;
    const found = tasks.data.results.find((one) =>
      event?.payload.task_id === undefined
        ? granted(one, slug, id)
        : one.external_uuid === event.payload.task_id,
    );
    return found ?? null;
  };
  return { tasks, grantingTask };
}

const records = ({ resource_type, group_external_id }: Event['payload'], slug: string, id: string) =>
  resource_type === slug && group_external_id === id;

const granted = ({ status, changes }: Task, slug: string, id: string) =>
  status === 'completed' && (changes[slug]?.added.some((one) => one.id === id) ?? false);
