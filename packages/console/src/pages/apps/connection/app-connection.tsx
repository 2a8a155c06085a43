import { t } from '@lingui/core/macro';
import { Alert, Button, Group } from '@mantine/core';
import { useChange } from '../../../api/client.ts';
import { useMe } from '../../../api/me.ts';
import { ActionButton } from '../../../kit/action/action-button.tsx';
import { Empty } from '../../../kit/controls/empty.tsx';
import { Failure } from '../../../kit/controls/failure.tsx';
import { ButtonLink, TextLink } from '../../../kit/controls/links.tsx';
import { Moment } from '../../../kit/controls/moment.tsx';
import { Properties } from '../../../kit/controls/properties.tsx';
import { Section } from '../../../kit/controls/section.tsx';
import { useUndoable } from '../../../kit/controls/undoable.ts';
import { useEdited } from '../../../kit/form/edited.ts';
import { PersonName } from '../../../people/person.tsx';
import type { App } from '../app.ts';
import { AcceptRemovals } from './accept-removals.tsx';
import classes from './connection.module.css';
import {
  type Connector,
  changeConnector,
  deleteConnector,
  isUnfinished,
  type Run,
  startRun,
} from './connector.ts';
import { ConnectorSettings } from './connector-settings.tsx';
import { ConnectorStatus, isFailing } from './connector-status.tsx';
import { useConnectorOf } from './connectors.ts';
import { sentenceStart } from './labels.ts';
import { useLatestRun } from './latest-run.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { RunHistory } from './run-history.tsx';
import { RunStatus } from './run-status.tsx';
import { dueWords, isDelayed, scheduleWords } from './schedule.ts';
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
        title={t`This app has no managed connector`}
        actions={
          manages && (
            <ButtonLink to="/apps/new" search={{ app: app.external_uuid }}>
              {t`Add connector`}
            </ButtonLink>
          )
        }
      >
        {t`Its accounts come from a connector that runs elsewhere, from spreadsheets, or from tasks that people carry out.`}
      </Empty>
    );
  return <Managed app={app} connector={connector} />;
}

function Managed({ app, connector }: { app: App; connector: Connector }) {
  const { manages } = useMe();
  const appId = app.external_uuid;
  const isNew = isNewConnector(connector);
  const edited = useEdited(connector);
  const settings = <ConnectorSettings appId={appId} connector={edited} />;
  return (
    <>
      <State app={app} connector={connector} />
      {isNew && settings}
      <RunHistory app={app} connector={connector} />
      <Section title={t`Schedule`}>
        <fieldset disabled={!manages} className={classes.plain}>
          <ScheduleForm
            key={JSON.stringify([edited.schedule, edited.carries_out_tasks])}
            connector={edited}
            appId={appId}
            disabled={!manages}
            send={(change, version) => changeConnector(appId, change, version)}
            success={t`Schedule saved`}
            action={t`Save schedule`}
          />
        </fieldset>
      </Section>
      {!isNew && settings}
      {manages && (
        <>
          <Section title={t`Test`}>
            <TestPanel appId={appId} connector={connector} />
          </Section>
          <Section title={t`Preview`}>
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
  const interval = sentenceStart(scheduleWords(schedule));
  return (
    <Section
      title={connector.name}
      actions={manages && <Actions appId={appId} connector={connector} isNew={isNew} />}
    >
      {isNew && (
        <Alert color="blue" mb="md" title={t`Setup is not finished`}>
          {t`The connector stays paused until you start the first sync.`}{' '}
          {manages && (
            <TextLink to="/apps/new" search={{ app: appId, step: 'test' }} underline="always">
              {t`Continue setup`}
            </TextLink>
          )}
        </Alert>
      )}
      {sync?.stopped_by_guard && <AcceptRemovals app={app} sync={sync} />}
      {sync?.error && !sync.stopped_by_guard && !isUnfinished(sync) && sync.state !== 'succeeded' && (
        <Alert color="red" mb="md" title={t`The last sync did not succeed`}>
          {sync.error} {adviceFor(sync.problem)}
        </Alert>
      )}
      {connector.overdue && (
        <Alert color="yellow" mb="md" title={t`Syncs are overdue`}>
          {t`No sync has succeeded for three intervals of the schedule. Look at the log of the newest run.`}
        </Alert>
      )}
      <Properties
        of={[
          [t`State`, <ConnectorStatus key="state" of={connector} last={sync?.state ?? null} />],
          [
            t`Next sync`,
            <Moment
              key="next"
              at={next_sync_at}
              none={paused ? t`Paused` : t`Not scheduled`}
              past={(due) => dueWords(due, sync !== undefined && isUnfinished(sync))}
            />,
          ],
          [t`Last success`, <Moment key="last" at={last_success_at} />],
          [t`Latest sync`, sync === undefined ? undefined : <RunStatus key="sync" of={sync} />],
          [
            t`Schedule`,
            isFailing(sync?.state ?? null) && !sync?.stopped_by_guard && isDelayed(schedule)
              ? t`${interval}, less often while syncs fail`
              : interval,
          ],
          [
            t`Tasks`,
            connector.tasks.length === 0
              ? t`This connector only reads`
              : carries_out_tasks
                ? t`Carried out as they arrive`
                : t`Not carried out automatically`,
          ],
          [t`Acts for`, <PersonName key="person" id={acts_for} />],
        ]}
      />
    </Section>
  );
}

/** Advice for a failed sync. */
function adviceFor(problem: Run['problem']): string {
  if (problem === 'credentials_refused') return t`Replace the credentials below, then test the connection.`;
  if (problem === 'unreachable') return t`Check the address in the settings, then test the connection.`;
  return t`Test the connection, and look at the log of the run.`;
}

function Actions({ appId, connector, isNew }: { appId: string; connector: Connector; isNew: boolean }) {
  const sync = useChange(() => startRun(appId, 'sync'), { success: t`Sync started` });
  const tasks = useChange(() => startRun(appId, 'tasks'), { success: t`Task batch started` });
  const { paused } = connector;
  const pause = useUndoable(() => changeConnector(appId, { paused: !paused }), {
    done: () => (paused ? t`Connector resumed` : t`Connector paused`),
    undo: () => changeConnector(appId, { paused }),
  });
  return (
    <Group gap="xs">
      <Button
        variant={isNew ? 'default' : 'filled'}
        onClick={() => sync.mutate(undefined)}
        loading={sync.isPending}
      >
        {t`Sync now`}
      </Button>
      {connector.tasks.length > 0 && (
        <Button variant="default" onClick={() => tasks.mutate(undefined)} loading={tasks.isPending}>
          {t`Run tasks now`}
        </Button>
      )}
      <Button variant="default" onClick={() => pause.mutate(undefined)} loading={pause.isPending}>
        {connector.paused ? t`Resume` : t`Pause`}
      </Button>
    </Group>
  );
}

function Remove({ app, connector }: { app: App; connector: Connector }) {
  const { name } = app;
  const { name: typeName } = connector;
  return (
    <Section title={t`Remove connector`}>
      <ActionButton
        variant="outline"
        label={t`Remove connector`}
        of={{
          title: t`Remove the connector of ${name}?`,
          sentence: t`This deletes the settings and secrets of the connector and ends its runs. The accounts of ${name} and the record of earlier runs are kept. To use a type other than ${typeName}, add a new connector afterwards.`,
          button: t`Remove connector`,
          danger: true,
          request: () => deleteConnector(app.external_uuid),
          message: t`Connector removed`,
        }}
      />
    </Section>
  );
}
