import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, type Item, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { Failure } from '../../parts/failure.tsx';
import { EventList } from '../../parts/history.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';
import { type Session, sessionStatus } from './sessions.ts';

type Event = Item<'/api/events/'>;
type Filter = NonNullable<paths['/api/events/']['get']['parameters']['query']>;

interface Props {
  app: App;
  session: Session;
}

/** The events of a sync itself, newest first. */
export function SyncEvents({ app, session }: Props) {
  const appId = app.external_uuid;
  const { sync_id, reverted_at } = session;
  const events = useQuery({
    queryKey: ['/api/events/', 'sync', appId, sync_id, sessionStatus(session), reverted_at],
    queryFn: ({ signal }) => eventsOf(appId, session, signal),
  });
  return (
    <Section title={t`Events`}>
      {events.isError && events.data === undefined ? (
        <Failure error={events.error} again={() => void events.refetch()} />
      ) : events.data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <EventList events={events.data} label={t`Events of this sync`} among={{ subject: appId }} />
      )}
    </Section>
  );
}

const MINUTE_MS = 60_000;

/** The log can be filtered by app, type and time, but not by sync. */
async function eventsOf(appId: string, session: Session, signal: AbortSignal): Promise<Event[]> {
  const { sync_id, started_at, finished_at, reverted_at } = session;
  const during = { occurred_at__gte: shifted(started_at, -MINUTE_MS), ...until(finished_at) };
  const queries: Filter[] = [
    { event_type_prefix: 'app.sync.', ...during },
    { event_type_prefix: 'removal_guard.', ...during },
  ];
  if (reverted_at !== undefined)
    queries.push({
      event_type: 'sync.reverted',
      occurred_at__gte: shifted(reverted_at, -MINUTE_MS),
      ...until(reverted_at),
    });
  const pages = await Promise.all(
    queries.map((query) =>
      ok(
        api.GET('/api/events/', { params: { query: { ...query, subject_uuid: appId, limit: 200 } }, signal }),
      ),
    ),
  );
  return pages
    .flatMap(({ results }) => results)
    .filter(({ payload }) => payload.sync_id === sync_id)
    .sort((a, b) => Date.parse(b.occurred_at) - Date.parse(a.occurred_at));
}

const until = (time: string | null) => (time === null ? {} : { occurred_at__lte: shifted(time, MINUTE_MS) });
const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
