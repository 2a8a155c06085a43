import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { CodeBlock } from '../../parts/code.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';
import { type Run, useRun } from './connection/connector.ts';
import { useHasConnector } from './connection/connectors.ts';
import { sessionOf } from './connection/run-counts.ts';
import { RunStatus } from './connection/run-status.tsx';
import type { Session } from './sessions.ts';

/** Among how many runs that of a sync is looked for. */
const RUNS = 200;

interface Props {
  app: App;
  session: Session;
}

/** The log of the run that made a sync. Nothing for syncs of connectors that run elsewhere. */
export function SyncLog({ app, session }: Props) {
  const { manages } = useMe();
  const { external_uuid: appId } = app;
  const isManaged = useHasConnector(appId) === true;
  const runs = useQuery({
    ...get('/api/apps/{app_id}/connector/runs/', {
      path: { app_id: appId },
      query: { kind: 'sync', limit: RUNS },
    }),
    enabled: isManaged,
    refetchInterval: session.finished_at === null ? 2000 : false,
  });
  const found = runs.data?.results.find((run) => isRunOf(run, session));
  const run = useRun(appId, manages ? found?.id : undefined);
  if (found === undefined) return null;
  const { error } = found;
  const log = run.data?.log;
  return (
    <Section
      title={t`Log`}
      actions={
        <TextLink to="/apps/$appId" params={{ appId }} search={{ tab: 'connection', run: found.id }}>
          <Trans>Show run</Trans>
        </TextLink>
      }
    >
      <RunStatus of={found} />
      {error !== null && (
        <Alert color="red" title={t`This run did not succeed`} my="sm">
          {error}
        </Alert>
      )}
      {!manages ? (
        <Text size="sm">
          <Trans>Only owners and administrators can read the log of a run.</Trans>
        </Text>
      ) : (
        log !== undefined && log !== null && log !== '' && <CodeBlock text={log} what={t`log`} />
      )}
    </Section>
  );
}

/** A run that has ended well names its session. The others are recognized by their time. */
function isRunOf({ counts, started_at, ended_at }: Run, session: Session): boolean {
  const named = sessionOf(counts);
  if (named !== undefined) return named === session.sync_id;
  if (started_at === null || started_at > session.started_at) return false;
  return ended_at === null || ended_at >= session.started_at;
}
