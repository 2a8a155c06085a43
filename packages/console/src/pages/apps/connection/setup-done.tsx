import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useChange } from '../../../api/client.ts';
import { ButtonLink } from '../../../kit/controls/links.tsx';
import { useNewestSessions } from '../sessions.ts';
import { SyncProgress } from '../sync-progress.tsx';
import { type Connector, isUnfinished, startRun } from './connector.ts';
import { useLatestRun } from './latest-run.ts';
import { RunStatus } from './run-status.tsx';
import { scheduleWords } from './schedule.ts';

/** Follows the first sync. */
export function SetupDone({ appId, connector }: { appId: string; connector: Connector }) {
  const run = useLatestRun(appId, 'sync');
  const sessions = useNewestSessions(appId);
  const session = sessions.data?.results[0];
  const { refetch } = sessions;
  useEffect(() => {
    // A short sync can end before the next look at its session.
    if (run?.state === 'succeeded') void refetch();
  }, [run?.state, refetch]);
  const again = useChange(() => startRun(appId, 'sync'));
  const schedule = scheduleWords(connector.schedule);
  return (
    <div aria-live="polite">
      <Group gap="sm" mb="sm">
        <Text fw={600}>{t`First sync`}</Text>
        {run !== undefined && <RunStatus of={run} />}
      </Group>
      {session !== undefined && <SyncProgress session={session} before={undefined} />}
      {run?.error && (
        <Alert color="red" role="alert" title={t`The sync did not succeed`} my="sm">
          <Text size="sm">{run.error}</Text>
          <Button mt="xs" variant="default" onClick={() => again.mutate(undefined)} loading={again.isPending}>
            {t`Sync again`}
          </Button>
        </Alert>
      )}
      {run !== undefined && run.state === 'succeeded' && (
        <Text my="sm">{t`The app is connected. Syncs run ${schedule}.`}</Text>
      )}
      {run !== undefined && isUnfinished(run) && (
        <Text size="sm" c="dimmed" my="sm">
          {t`You can leave this page. The sync continues.`}
        </Text>
      )}
      <Group gap="xs" mt="md">
        <ButtonLink to="/apps/$appId" params={{ appId }}>
          {t`Open app`}
        </ButtonLink>
        <ButtonLink to="/apps/$appId" params={{ appId }} search={{ tab: 'connection' }} variant="default">
          {t`Show connection`}
        </ButtonLink>
      </Group>
    </div>
  );
}
