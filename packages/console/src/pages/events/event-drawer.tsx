import { t } from '@lingui/core/macro';
import '@mantine/core/styles/Drawer.css';
import { Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { AccessLink, SubjectLink, TaskLink } from '../../events/event-links.tsx';
import { eventSentence } from '../../events/event-sentence.ts';
import { useNames } from '../../events/names.ts';
import { JsonView } from '../../kit/controls/code.tsx';
import { Copy } from '../../kit/controls/copy.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { zonedTime } from '../../kit/text/words.ts';
import { PersonName } from '../../people/person.tsx';
import { CATEGORY_WORDS } from './categories.ts';
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
      title={event.data?.event_type ?? t`Event`}
    >
      <Unready of={event} />
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
          [t`Severity`, <Status key="severity" of={event.severity} />],
          [t`Category`, CATEGORY_WORDS[event.category]],
          [t`Occurred`, <ExactTime key="occurred" at={event.occurred_at} />],
          [t`Recorded`, <ExactTime key="recorded" at={event.ingested_at} />],
          [t`Actor`, <Actor key="actor" actor={actor} />],
          [t`IP address`, actor.ip],
          [t`User agent`, actor.user_agent],
          [t`Subject`, <SubjectLink key="subject" event={event} />],
          [
            t`Group or license`,
            'group_id' in payload ? <AccessLink key="access" event={event} /> : undefined,
          ],
          [t`Source`, <Source key="source" source={source} />],
          [t`Event ID`, <Id key="id" value={event.event_id} />],
        ]}
      />
      <Group gap="xs">
        <Button variant="default" onClick={() => filter({ subject: subject.uuid })}>
          {t`Events about this subject`}
        </Button>
        {actor.uuid !== null && (
          <Button variant="default" onClick={() => filter({ actor: actor.uuid ?? undefined })}>
            {t`Events by this actor`}
          </Button>
        )}
        <Button variant="default" onClick={() => filter({ type: event.event_type })}>
          {t`Events of this type`}
        </Button>
      </Group>
      <Section title={t`Payload`}>
        <JsonView value={payload} what={t`payload`} />
      </Section>
      <Section title={t`Full event`}>
        <JsonView value={event} what={t`event`} />
      </Section>
    </Stack>
  );
}

function ExactTime({ at }: { at: string }) {
  return (
    <>
      <time dateTime={at} title={at}>
        {zonedTime(new Date(at))}
      </time>{' '}
      (<Moment at={at} />)
    </>
  );
}

function Id({ value }: { value: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span>{value}</span>
      <Copy value={value} what={t`event ID`} />
    </Group>
  );
}

const ACTORS = {
  system: t`Gatehouse`,
  service: t`A service`,
  platform_admin: t`A platform administrator`,
} satisfies Record<Exclude<Event['actor']['type'], 'user'>, string>;

function Actor({ actor: { type, uuid } }: { actor: Event['actor'] }): ReactNode {
  if (type === 'user' && uuid !== null) return <PersonName id={uuid} />;
  return type === 'user' ? t`Unknown` : ACTORS[type];
}

const SOURCES = {
  user_action: t`A signed-in person`,
  system: t`Gatehouse`,
  sync: t`A sync`,
  schedule: t`A schedule`,
  api: t`An API call`,
  task: t`A task`,
} satisfies Record<Event['source']['type'], string>;

function Source({ source: { type, uuid } }: { source: Event['source'] }) {
  if (type === 'task' && uuid !== null) return <TaskLink id={uuid}>{SOURCES.task}</TaskLink>;
  return SOURCES[type];
}
