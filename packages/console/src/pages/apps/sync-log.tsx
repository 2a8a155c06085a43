import { t } from '@lingui/core/macro';
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import type { App } from './app.ts';
import { isUnfinished, useRun } from './connection/connector.ts';
import { RunStatus } from './connection/run-status.tsx';
import type { Session } from './sessions.ts';

/** The log of the run that made a sync. Nothing if its connector runs elsewhere, or retention has deleted the run. */
export function SyncLog({ app, session }: { app: App; session: Session }) {
  const { manages } = useMe();
  const { external_uuid: appId } = app;
  const { run_id } = session;
  const runs = useQuery({
    ...get('/api/apps/{app_id}/connector/runs/', { path: { app_id: appId }, query: { run_id } }),
    enabled: run_id !== undefined,
    refetchInterval: ({ state }) => (state.data?.results.some(isUnfinished) ? 2000 : false),
  });
  const found = runs.data?.results[0];
  const run = useRun(appId, manages ? found?.id : undefined);
  if (found === undefined) return null;
  const { error } = found;
  const log = run.data?.log;
  return (
    <Section
      title={t`Log`}
      actions={
        <TextLink to="/apps/$appId" params={{ appId }} search={{ tab: 'connection', run: found.id }}>
          {t`Show run`}
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
        <Text size="sm">{t`Only owners and administrators can read the log of a run.`}</Text>
      ) : (
        log !== undefined && log !== null && log !== '' && <CodeBlock text={log} what={t`log`} />
      )}
    </Section>
  );
}
