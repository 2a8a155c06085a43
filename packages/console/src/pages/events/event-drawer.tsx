import '@mantine/core/styles/Drawer.css';
import { Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { JsonView } from '../../parts/code.tsx';
import { Copy } from '../../parts/copy.tsx';
import { SubjectLink, TaskLink } from '../../parts/event-links.tsx';
import { eventSentence } from '../../parts/event-sentence.ts';
import { Failure } from '../../parts/failure.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useNames } from '../../parts/names.ts';
import { PersonName } from '../../parts/person.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import type { Event } from './follow.ts';
import type { EventsSearch } from './search.ts';

interface Props {
  id: string | undefined;
  close: () => void;
  /** Filters the page to events with these properties. */
  filter: (change: Partial<EventsSearch>) => void;
}

/** One event, as a sentence and as JSON. */
export function EventDrawer({ id, close, filter }: Props) {
  const event = useQuery({
    ...get('/api/events/{external_uuid}/', { path: { external_uuid: id ?? '' } }),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title={event.data?.event_type ?? 'Event'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {event.isError && <Failure error={event.error} again={() => void event.refetch()} />}
      {event.data === undefined ? (
        !event.isError && <Skeleton height={120} />
      ) : (
        <Detail event={event.data} filter={filter} />
      )}
    </Drawer>
  );
}

function Detail({ event, filter }: { event: Event; filter: Props['filter'] }) {
  const nameOf = useNames([event]);
  const { actor, subject, source, payload } = event;
  return (
    <Stack gap="md">
      <Text fw={600}>{eventSentence(event, nameOf)}</Text>
      <Properties
        of={[
          ['Severity', <Status key="severity" of={event.severity} />],
          ['Category', event.category.replaceAll('_', ' ')],
          ['Occurred', <ExactTime key="occurred" at={event.occurred_at} />],
          ['Recorded', <ExactTime key="recorded" at={event.ingested_at} />],
          ['Actor', <Actor key="actor" actor={actor} />],
          ['IP address', actor.ip],
          ['User agent', actor.user_agent],
          ['Subject', <SubjectLink key="subject" event={event} />],
          ['Source', <Source key="source" source={source} />],
          [
            'Event ID',
            <Id key="id" value={event.event_id}>
              event ID
            </Id>,
          ],
        ]}
      />
      <Group gap="xs">
        <Button variant="default" onClick={() => filter({ subject: subject.uuid })}>
          Events about this subject
        </Button>
        {actor.uuid !== null && (
          <Button variant="default" onClick={() => filter({ actor: actor.uuid ?? undefined })}>
            Events by this actor
          </Button>
        )}
        <Button variant="default" onClick={() => filter({ type: event.event_type })}>
          Events of this type
        </Button>
      </Group>
      <Section title="Payload">
        <JsonView value={payload} what="payload" />
      </Section>
      <Section title="Full event">
        <JsonView value={event} what="event" />
      </Section>
    </Stack>
  );
}

function ExactTime({ at }: { at: string }) {
  return (
    <>
      {at.replace('T', ' ').replace('Z', ' UTC')} (<Moment at={at} />)
    </>
  );
}

function Id({ value, children }: { value: string; children: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span>{value}</span>
      <Copy value={value} what={children} />
    </Group>
  );
}

const ACTORS = {
  system: 'Gatehouse',
  service: 'A service',
  platform_admin: 'A platform administrator',
} satisfies Record<Exclude<Event['actor']['type'], 'user'>, string>;

function Actor({ actor: { type, uuid } }: { actor: Event['actor'] }): ReactNode {
  if (type === 'user' && uuid !== null) return <PersonName id={uuid} />;
  return type === 'user' ? 'Unknown' : ACTORS[type];
}

const SOURCES = {
  user_action: 'A signed-in person',
  system: 'Gatehouse',
  sync: 'A sync',
  schedule: 'A schedule',
  api: 'An API call',
  task: 'A task',
} satisfies Record<Event['source']['type'], string>;

function Source({ source: { type, uuid } }: { source: Event['source'] }) {
  if (type === 'task' && uuid !== null) return <TaskLink id={uuid}>{SOURCES.task}</TaskLink>;
  return SOURCES[type];
}
