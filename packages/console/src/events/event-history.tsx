import { t } from '@lingui/core/macro';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Item, ok } from '../api/client.ts';
import { Failure } from '../kit/controls/failure.tsx';
import { Moment } from '../kit/controls/moment.tsx';
import classes from './event-history.module.css';
import { eventSentence } from './event-sentence.ts';
import { useNames } from './names.ts';

const PAGE = 20;

type Event = Item<'/api/events/'>;

interface Props {
  /** The subject, the actor or the sync of the events. */
  of: { subject_uuid: string } | { actor_uuid: string } | { sync_uuid: string };
  /** The filter of the page on which an event opens, if it is not `of`. */
  among?: ListProps['among'];
  /** The events are read again when this changes. */
  version?: string;
  label: string;
  /** Shown if there are no events. */
  none: string;
}

/** Events as sentences, newest first. Older ones load on demand. Requires permission to read events. */
export function History({ of, among = toSearch(of), version, label, none }: Props) {
  const pages = useInfiniteQuery({
    queryKey: ['/api/events/', 'history', of, version],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        catalog: 'all',
        ...of,
        limit: PAGE,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      };
      return ok(api.GET('/api/events/', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ results, next_cursor }) => (results.length < PAGE ? undefined : next_cursor),
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
  among: { subject?: string; actor?: string };
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
  if ('sync_uuid' in of) return {};
  return 'subject_uuid' in of ? { subject: of.subject_uuid } : { actor: of.actor_uuid };
}
