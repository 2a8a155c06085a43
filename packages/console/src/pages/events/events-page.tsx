import { plural, t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Alert, Button, Group, Switch, Text } from '@mantine/core';
import '@mantine/core/styles/Switch.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { eventSentence, type NameOf } from '../../events/event-sentence.ts';
import { useNames } from '../../events/names.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { IconArrowUp, IconDownload, IconPlayerPause, IconPlayerPlay } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { isFiltered } from '../../kit/table/list-filters.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { save } from '../../kit/text/csv.ts';
import { EventDrawer } from './event-drawer.tsx';
import { EVENT_FILTERS, EventFilters } from './event-filters.tsx';
import classes from './events.module.css';
import { type Event, useFollow } from './follow.ts';
import { type EventsSearch, eventsSearch, queryOf } from './search.ts';

const EventHistogram = lazyPart(async () => (await import('./histogram.tsx')).EventHistogram);

const PAGE = 50;
/** When the page is scrolled further than this, new events are held back. */
const TOP_PIXELS = 120;

const columnsWith = (nameOf: NameOf): Column<Event>[] => [
  column.moment('time', t`Time`, ({ occurred_at }) => occurred_at, { phone: 'detail' }),
  column.status('severity', t`Severity`, { phone: 'detail' }),
  column.cell('event', t`Event`, { phone: 'title' }, (event) => (
    <Link
      to="/events"
      search={(now) => ({ ...now, event: event.event_id })}
      resetScroll={false}
      className={classes.sentence}
    >
      {eventSentence(event, nameOf)}
    </Link>
  )),
  column.cell('type', t`Type`, ({ event_type }) => <span className={classes.type}>{event_type}</span>),
];

export function EventsPage() {
  const { readsAll } = useMe();
  if (!readsAll) {
    return (
      <>
        <PageHeader title={t`Events`} />
        <Empty title={t`Your role does not allow this`}>
          {t`Only administrators and auditors can read the event log.`}
        </Empty>
      </>
    );
  }
  return <Explorer />;
}

function Explorer() {
  const [at, go] = useAddress(eventsSearch);
  const filter = (change: Partial<EventsSearch>) => go({ ...change, cursor: undefined });
  const isFollowing = at.follow === true && at.cursor === undefined;
  const [paused, setPaused] = useState(false);
  const pausedNow = useRef(paused);
  pausedNow.current = paused;

  const filters = queryOf(at);
  const page = useQuery({
    ...get('/api/events/', { query: { ...filters, cursor: at.cursor, limit: PAGE } }),
    placeholderData: keepPreviousData,
    // While following, new events arrive through the cursor only.
    refetchOnWindowFocus: !isFollowing,
  });
  const start = isFollowing && !page.isPlaceholderData ? page.data?.previous_cursor : undefined;
  const followed = useFollow(start, () => pausedNow.current || scrollY > TOP_PIXELS);
  const rows = useRows(followed.rows, page.data?.results);
  const nameOf = useNames(rows ?? []);
  const columns = useMemo(() => columnsWith(nameOf), [nameOf]);

  return (
    <>
      <PageHeader
        title={t`Events`}
        about={t`The event log of this organization, newest first.`}
        actions={
          <>
            <Switch
              label={t`Follow`}
              checked={isFollowing}
              onChange={({ currentTarget: { checked } }) => {
                setPaused(false);
                go({ follow: checked || undefined, cursor: undefined });
              }}
            />
            {isFollowing && (
              <Button
                variant="default"
                leftSection={
                  paused ? (
                    <IconPlayerPlay size={15} aria-hidden />
                  ) : (
                    <IconPlayerPause size={15} aria-hidden />
                  )
                }
                onClick={() => {
                  if (paused) followed.show();
                  setPaused(!paused);
                }}
              >
                {paused ? t`Resume` : t`Pause`}
              </Button>
            )}
            <Button
              variant="default"
              disabled={rows === undefined || rows.length === 0}
              leftSection={<IconDownload size={15} aria-hidden />}
              onClick={() => saveLines(rows ?? [])}
            >
              {t`Download events`}
            </Button>
          </>
        }
      />
      <EventFilters at={at} go={filter} />
      <EventHistogram at={at} filter={filter} />
      {isFollowing && (
        <Following
          held={followed.held}
          arrived={followed.rows.length}
          paused={paused}
          problem={followed.problem}
          show={() => {
            followed.show();
            scrollTo({ top: 0 });
          }}
        />
      )}
      {page.isError && rows === undefined ? (
        <Failure error={page.error} again={() => void page.refetch()} />
      ) : (
        <TableView
          label={t`Events`}
          name="/api/events/"
          columns={columns}
          rows={rows}
          rowId={({ event_id }) => event_id}
          stale={page.isPlaceholderData}
          empty={<NoEvents at={at} />}
        />
      )}
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {rows !== undefined && plural(rows.length, { one: '# event shown', other: '# events shown' })}
        </Text>
        <Group gap="xs">
          {at.cursor !== undefined && (
            <>
              <Button variant="default" onClick={() => go({ cursor: undefined })}>
                {t`Newest`}
              </Button>
              <Button variant="default" onClick={() => go({ cursor: page.data?.previous_cursor })}>
                {t`Newer`}
              </Button>
            </>
          )}
          <Button
            variant="default"
            disabled={page.data === undefined || page.data.results.length < PAGE}
            onClick={() => {
              go({ cursor: page.data?.next_cursor, follow: undefined });
              scrollTo({ top: 0 });
            }}
          >
            {t`Older`}
          </Button>
        </Group>
      </Group>
      <EventDrawer
        id={at.event}
        close={() => go({ event: undefined })}
        filter={(change) => filter({ ...change, event: undefined })}
      />
    </>
  );
}

/** Puts events that arrived while following above the page, without duplicates. */
function useRows(fresh: Event[], page: Event[] | undefined): Event[] | undefined {
  return useMemo(() => {
    if (page === undefined) return undefined;
    const known = new Set(page.map(({ event_id }) => event_id));
    return [...fresh.filter(({ event_id }) => !known.has(event_id)), ...page];
  }, [fresh, page]);
}

interface FollowingProps {
  held: number;
  arrived: number;
  paused: boolean;
  problem: string | undefined;
  show: () => void;
}

function Following({ held, arrived, paused, problem, show }: FollowingProps) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {paused
          ? t`Paused: ${plural(held, { one: '# new event waiting', other: '# new events waiting' })}.`
          : t`Following: ${plural(arrived + held, { one: '# new event so far', other: '# new events so far' })}.`}
      </Text>
      {problem !== undefined && (
        <Alert color="yellow" mb="xs" role="alert">
          {problem}
        </Alert>
      )}
      {held > 0 && !paused && (
        <div className={classes.news}>
          <Button leftSection={<IconArrowUp size={15} aria-hidden />} onClick={show}>
            <Plural value={held} one="# new event" other="# new events" />
          </Button>
        </div>
      )}
    </>
  );
}

function NoEvents({ at }: { at: EventsSearch }) {
  if (at.cursor !== undefined)
    return <Empty title={t`No more events`}>{t`Go back to the newest events.`}</Empty>;
  if (isFiltered(at, EVENT_FILTERS)) {
    return <Empty title={t`No events match these filters`}>{t`Clear a filter, or follow new events.`}</Empty>;
  }
  return (
    <Empty title={t`No events yet`}>{t`The log records what people, connectors and policies do.`}</Empty>
  );
}

const saveLines = (events: readonly Event[]) =>
  save('events.jsonl', events.map((event) => `${JSON.stringify(event)}\n`).join(''), 'application/x-ndjson');
