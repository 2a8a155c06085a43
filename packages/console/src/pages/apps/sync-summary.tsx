import { Alert, Group } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { Moment } from '../../parts/moment.tsx';
import { PersonName } from '../../parts/person.tsx';
import { Properties } from '../../parts/properties.tsx';
import { RestoreLink } from '../../parts/restore-link.tsx';
import { Section } from '../../parts/section.tsx';
import { lasted } from '../../parts/words.ts';
import type { App } from './app.ts';
import { RevertSync } from './revert-sync.tsx';
import { SessionStatus } from './session-status.tsx';
import { isRunning, type Session } from './sessions.ts';

/** The state of a sync, and the two ways to give back what it took. */
export function SyncSummary({ app, syncId }: { app: App; syncId: string }) {
  const path = { app_id: app.external_uuid, sync_id: syncId };
  const { data: session } = useQuery({
    ...get('/api/apps/{app_id}/syncs/{sync_id}/', { path }),
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? 1500 : false),
  });
  if (session === undefined) return null;
  const { started_at, finished_at, error, counts, held } = session;
  const hasChanged = counts !== null && held === undefined && !isRunning(session);
  return (
    <>
      <Reverted session={session} />
      <Section
        title="Sync"
        actions={
          hasChanged && (
            <Group gap="xs">
              <RestoreLink
                of={{ app: app.external_uuid, sync: syncId, possible: true }}
                asOf={justBefore(started_at)}
              />
              <RevertSync app={app} session={session} />
            </Group>
          )
        }
      >
        <Properties
          of={[
            ['Status', <SessionStatus key="status" of={session} />],
            ['Error', error?.message],
            ['Started', <Moment key="started" at={started_at} />],
            ['Duration', finished_at === null ? undefined : lasted(started_at, finished_at)],
          ]}
        />
      </Section>
    </>
  );
}

/** Times in addresses have milliseconds, so this is the last one before the sync. */
const justBefore = (started: string) => new Date(Date.parse(started) - 1).toISOString();

function Reverted({ session: { reverted_at, reverted_by } }: { session: Session }) {
  if (reverted_at === undefined) return null;
  return (
    <Alert color="blue" icon={<IconArrowBackUp aria-hidden />} title="This sync was reverted" mb="md">
      <PersonName id={reverted_by ?? null} none="Gatehouse" /> reverted it <Moment at={reverted_at} />. The
      changes below count as recorded by mistake.
    </Alert>
  );
}
