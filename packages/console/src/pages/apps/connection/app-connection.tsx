import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/client.ts';
import { useMe } from '../../../api/me.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../../parts/links.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { PersonName } from '../../../parts/person.tsx';
import { Properties } from '../../../parts/properties.tsx';
import { Section } from '../../../parts/section.tsx';
import type { App } from '../app.ts';
import { AcceptRemovals } from './accept-removals.tsx';
import classes from './connection.module.css';
import { type Connector, changeConnector, deleteConnector, isUnfinished, startRun } from './connector.ts';
import { ConnectorSettings } from './connector-settings.tsx';
import { ConnectorStatus, isFailing } from './connector-status.tsx';
import { useConnectorOf } from './connectors.ts';
import { sentenceStart } from './labels.ts';
import { useLatestRun } from './latest-run.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { RunHistory } from './run-history.tsx';
import { RunStatus } from './run-status.tsx';
import { isDelayed, scheduleWords } from './schedule.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { TestPanel } from './test-panel.tsx';

/** The connector that the server runs for an app: its state, settings, schedule and runs. */
export function AppConnection({ app }: { app: App }) {
  const { manages } = useMe();
  const { connector, error, again } = useConnectorOf(app.external_uuid);
  if (error !== null) return <Failure error={error} again={again} />;
  if (connector === undefined) return null;
  if (connector === null)
    return (
      <Empty
        title="This app has no managed connector"
        actions={
          manages && (
            <ButtonLink to="/apps/new" search={{ app: app.external_uuid }}>
              Add connector
            </ButtonLink>
          )
        }
      >
        Its accounts come from a connector that runs elsewhere, from spreadsheets, or from tasks that people
        carry out.
      </Empty>
    );
  return <Managed app={app} connector={connector} />;
}

function Managed({ app, connector }: { app: App; connector: Connector }) {
  const { manages } = useMe();
  const appId = app.external_uuid;
  const isNew = isNewConnector(connector);
  const settings = <ConnectorSettings appId={appId} connector={connector} />;
  return (
    <>
      <State app={app} connector={connector} />
      {isNew && settings}
      <RunHistory app={app} connector={connector} />
      <Section title="Schedule">
        <fieldset disabled={!manages} className={classes.plain}>
          <ScheduleForm
            key={JSON.stringify([connector.schedule, connector.carries_out_tasks])}
            connector={connector}
            disabled={!manages}
            send={(change) => changeConnector(appId, change)}
            success="Schedule saved"
            action="Save schedule"
          />
        </fieldset>
      </Section>
      {!isNew && settings}
      {manages && (
        <>
          <Section title="Test">
            <TestPanel appId={appId} connector={connector} />
          </Section>
          <Section title="Preview">
            <PreviewPanel appId={appId} />
          </Section>
          <Remove app={app} connector={connector} />
        </>
      )}
    </>
  );
}

const isNewConnector = ({ last_success_at, paused }: Connector) => last_success_at === null && paused;

/** When syncs ran and will run, and what is wrong. */
function State({ app, connector }: { app: App; connector: Connector }) {
  const { manages } = useMe();
  const appId = app.external_uuid;
  const sync = useLatestRun(appId, 'sync');
  const { paused, schedule, last_success_at, next_sync_at, carries_out_tasks, acts_for } = connector;
  const isNew = isNewConnector(connector);
  return (
    <Section
      title={connector.name}
      actions={manages && <Actions appId={appId} connector={connector} isNew={isNew} />}
    >
      {isNew && (
        <Alert color="blue" mb="md" title="Setup is not finished">
          The connector stays paused until you start the first sync.{' '}
          {manages && (
            <TextLink to="/apps/new" search={{ app: appId, step: 'test' }} underline="always">
              Continue setup
            </TextLink>
          )}
        </Alert>
      )}
      {sync?.stopped_by_guard && <AcceptRemovals app={app} sync={sync} />}
      {sync?.error && !sync.stopped_by_guard && !isUnfinished(sync) && sync.state !== 'succeeded' && (
        <Alert color="red" mb="md" title="The last sync did not succeed">
          {sync.error} {adviceFor(sync.error)}
        </Alert>
      )}
      {connector.overdue && (
        <Alert color="yellow" mb="md" title="Syncs are overdue">
          No sync has succeeded for three intervals of the schedule. Look at the log of the newest run.
        </Alert>
      )}
      <Properties
        of={[
          ['State', <ConnectorStatus key="state" of={connector} last={sync?.state ?? null} />],
          ['Next sync', <Moment key="next" at={next_sync_at} none={paused ? 'Paused' : 'Not scheduled'} />],
          ['Last success', <Moment key="last" at={last_success_at} />],
          ['Latest sync', sync === undefined ? undefined : <RunStatus key="sync" of={sync} />],
          [
            'Schedule',
            isFailing(sync?.state ?? null) && !sync?.stopped_by_guard && isDelayed(schedule)
              ? `${sentenceStart(scheduleWords(schedule))}, less often while syncs fail`
              : sentenceStart(scheduleWords(schedule)),
          ],
          [
            'Tasks',
            connector.tasks.length === 0
              ? 'This connector only reads'
              : carries_out_tasks
                ? 'Carried out as they arrive'
                : 'Not carried out automatically',
          ],
          ['Acts for', <PersonName key="person" id={acts_for} />],
        ]}
      />
    </Section>
  );
}

/** Advice for a failed sync. */
function adviceFor(error: string): string {
  if (/password|credential|token|authenticat|sign.?in|401|403/i.test(error))
    return 'Replace the credentials below, then test the connection.';
  if (/reach|refused|timed out|address|certificate|ENOTFOUND|ECONN/i.test(error))
    return 'Check the address in the settings, then test the connection.';
  return 'Test the connection, and look at the log of the run.';
}

function Actions({ appId, connector, isNew }: { appId: string; connector: Connector; isNew: boolean }) {
  const sync = useChange(() => startRun(appId, 'sync'), { success: 'Sync started' });
  const tasks = useChange(() => startRun(appId, 'tasks'), { success: 'Task batch started' });
  const pause = useChange(() => changeConnector(appId, { paused: !connector.paused }), {
    success: connector.paused ? 'Connector resumed' : 'Connector paused',
  });
  return (
    <Group gap="xs">
      <Button
        variant={isNew ? 'default' : 'filled'}
        onClick={() => sync.mutate(undefined)}
        loading={sync.isPending}
      >
        Sync now
      </Button>
      {connector.tasks.length > 0 && (
        <Button variant="default" onClick={() => tasks.mutate(undefined)} loading={tasks.isPending}>
          Run tasks now
        </Button>
      )}
      <Button variant="default" onClick={() => pause.mutate(undefined)} loading={pause.isPending}>
        {connector.paused ? 'Resume' : 'Pause'}
      </Button>
    </Group>
  );
}

function Remove({ app, connector }: { app: App; connector: Connector }) {
  const [asking, setAsking] = useState(false);
  const remove = useChange(() => deleteConnector(app.external_uuid), {
    success: 'Connector removed',
    showFailure: false,
  });
  return (
    <Section title="Remove connector">
      <Button color="red" variant="outline" onClick={() => setAsking(true)}>
        Remove connector
      </Button>
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove the connector of ${app.name}?`}
        action="Remove connector"
        act={() => remove.mutateAsync(undefined)}
      >
        This deletes the settings and secrets of the connector and ends its runs. The accounts of {app.name}{' '}
        and the record of earlier runs are kept. To use a type other than {connector.name}, add a new
        connector afterwards.
      </Confirm>
    </Section>
  );
}
