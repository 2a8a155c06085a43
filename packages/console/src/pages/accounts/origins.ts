import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';

export type Task = Item<'/api/tasks/'>;
type Event = Item<'/api/events/'>;

const MOST = 200;

/**
 * The task that gave an account a group or license: by the event of it, else the newest that did. Undefined where a
 * sync found it there.
 */
export function useOrigins(accountId: string, readsEvents: boolean) {
  const tasks = useQuery(get('/api/tasks/', { query: { account: accountId, limit: MOST } }));
  const events = useQuery({
    ...get('/api/events/', {
      query: { subject_uuid: accountId, event_type: 'account.group.added', limit: MOST },
    }),
    enabled: readsEvents,
  });
  const originOf = (slug: string, id: string): Task | undefined => {
    const event = events.data?.results.find(({ payload }) => gave(payload, slug, id));
    if (event?.source.type === 'sync') return undefined;
    return tasks.data?.results.find((one) =>
      event?.payload.task_id === undefined
        ? gives(one, slug, id)
        : one.external_uuid === event.payload.task_id,
    );
  };
  return { tasks, originOf };
}

const gave = ({ resource_type, group_external_id }: Event['payload'], slug: string, id: string) =>
  resource_type === slug && group_external_id === id;

const gives = ({ status, changes }: Task, slug: string, id: string) =>
  status === 'completed' && (changes[slug]?.added.some((one) => one.id === id) ?? false);
