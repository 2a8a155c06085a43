import { t } from '@lingui/core/macro';
import '@mantine/core/styles/Drawer.css';
import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useChange } from '../../../api/client.ts';
import { CodeBlock } from '../../../kit/controls/code.tsx';
import { Failure } from '../../../kit/controls/failure.tsx';
import { TextLink } from '../../../kit/controls/links.tsx';
import { Moment } from '../../../kit/controls/moment.tsx';
import { Properties } from '../../../kit/controls/properties.tsx';
import { lasted } from '../../../kit/text/words.ts';
import { PersonName } from '../../../people/person.tsx';
import { cancelRun, isUnfinished, type RunDetails, useRun } from './connector.ts';
import { countWords, sessionOf } from './run-counts.ts';
import { KINDS, RunStatus } from './run-status.tsx';

interface Props {
  appId: string;
  runId: string | undefined;
  /** Auditors may not read logs. */
  readsLog: boolean;
  close: () => void;
}

/** One run with its log. Refreshes itself until the run ends. */
export function RunDrawer({ appId, runId, readsLog, close }: Props) {
  const run = useRun(appId, readsLog ? runId : undefined);
  return (
    <Drawer
      opened={runId !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title={run.data === undefined ? t`Run` : KINDS[run.data.kind]}
    >
      {!readsLog && <Text size="sm">{t`Only owners and administrators can read the log of a run.`}</Text>}
      {run.isError && run.data === undefined && (
        <Failure error={run.error} again={() => void run.refetch()} />
      )}
      {run.data !== undefined && <Detail appId={appId} run={run.data} />}
    </Drawer>
  );
}

function Detail({ appId, run }: { appId: string; run: RunDetails }) {
  const cancel = useChange(() => cancelRun(appId, run.id), { success: t`Run is being canceled` });
  const session = sessionOf(run.counts);
  const counts = countWords(run.counts);
  return (
    <Stack gap="md">
      {run.error !== null && (
        <Alert color="red" title={t`This run did not succeed`}>
          {run.error}
        </Alert>
      )}
      <Properties
        of={[
          [t`State`, <RunStatus key="state" of={run} />],
          [
            t`Started by`,
            run.requested_by === null ? (
              run.kind === 'tasks' ? (
                t`Pending tasks`
              ) : (
                t`Schedule`
              )
            ) : (
              <PersonName key="by" id={run.requested_by} />
            ),
          ],
          [t`Queued`, <Moment key="queued" at={run.queued_at} />],
          [t`Started`, <Moment key="started" at={run.started_at} none={t`Not yet`} />],
          [
            t`Duration`,
            run.started_at === null || run.ended_at === null
              ? undefined
              : lasted(run.started_at, run.ended_at),
          ],
          [t`Counts`, counts === '' ? undefined : counts],
          [
            t`Sync session`,
            session && (
              <TextLink key="session" to="/apps/$appId/syncs/$syncId" params={{ appId, syncId: session }}>
                {t`Open session`}
              </TextLink>
            ),
          ],
        ]}
      />
      {isUnfinished(run) && (
        <Group>
          <Button
            variant="default"
            onClick={() => cancel.mutate(undefined)}
            loading={cancel.isPending}
            disabled={run.cancelling}
          >
            {t`Cancel run`}
          </Button>
        </Group>
      )}
      {run.log !== null && run.log !== '' && <CodeBlock text={run.log} what={t`log`} />}
    </Stack>
  );
}
