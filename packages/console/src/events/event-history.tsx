import { t } from '@lingui/core/macro';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Item, ok, type Query } from '../api/client.ts';
import { Failure } from '../kit/controls/failure.tsx';
import { Moment } from '../kit/controls/moment.tsx';
import classes from './event-history.module.css';
import { eventSentence } from './event-sentence.ts';
import { useNames } from './names.ts';

const PAGE = 20;

type Event = Item<'/api/events/'>;
type Activity = NonNullable<Query<'/api/users/{user_id}/activity/'>['kind']>;
type Of =
  | { subject_uuid: string }
  | { sync_uuid: string }
  | { activity_of: string; kind?: Activity | undefined };

interface Props {
  /** The subject or the sync of the events, or the person whose activity they are. */
  of: Of;
  /** The filter of the page on which an event opens, if it is not `of`. */
  among?: ListProps['among'];
  /** The events are read again when this changes. */
  version?: string;
  label: string;
  /** Shown if there are no events. */
  none: string;
}

function read(of: Of, cursor: string | undefined, signal: AbortSignal) {
  const page = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  if ('activity_of' in of) {
    const { activity_of: user_id, kind } = of;
    const query = kind === undefined ? page : { ...page, kind };
    return ok(api.GET('/api/users/{user_id}/activity/', { params: { path: { user_id }, query }, signal }));
  }
  return ok(api.GET('/api/events/', { params: { query: { catalog: 'all', ...of, ...page } }, signal }));
}

/** Events as sentences, newest first. Older ones load on demand. Requires permission to read events. */
export function History({ of, among = toSearch(of), version, label, none }: Props) {
  const pages = useInfiniteQuery({
    queryKey: ['/api/events/', 'history', of, version],
    queryFn: ({ pageParam, signal }) => read(of, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ results, next_cursor }) =>
      results.length < PAGE ? undefined : (next_cursor ?? undefined),
  });
  const events = pages.data?.pages.flatMap(({ results }) => results) ?? [];
  if (pages.isError && events.length === 0) {
    return <Failure error={pages.error} again={() => void pages.refetch()} />;
  }
  if (pages.isPending) return <Skeleton height={80} />;
  if (events.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <>
      <EventList events={events} label={label} among={among} />
      {pages.hasNextPage && (
        <Group mt="xs">
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {t`Show older`}
          </Button>
        </Group>
      )}
    </>
  );
}

interface ListProps {
  events: readonly Event[];
  label: string;
  /** The filter of the page on which an event opens. */
  among: { subject?: string };
}

/** Events as sentences that lead to the log. */
function EventList({ events, label, among }: ListProps) {
  const nameOf = useNames(events);
  return (
    <ol className={classes.list} aria-label={label}>
      {events.map((event) => (
        <li key={event.event_id}>
          <span className={classes.when}>
            <Moment at={event.occurred_at} />
          </span>
          <Link to="/events" search={{ ...among, event: event.event_id }}>
            {eventSentence(event, nameOf)}
          </Link>
        </li>
      ))}
    </ol>
  );
}

function toSearch(of: Props['of']): ListProps['among'] {
  return 'subject_uuid' in of ? { subject: of.subject_uuid } : {};
}
