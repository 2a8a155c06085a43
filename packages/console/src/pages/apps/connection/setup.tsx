import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Failure } from '../../../kit/controls/failure.tsx';
import { ButtonLink, TextLink } from '../../../kit/controls/links.tsx';
import { Section } from '../../../kit/controls/section.tsx';
import { type Connector, changeConnector, ensureSync } from './connector.ts';
import { useConnectorOf } from './connectors.ts';
import { useLatestRun } from './latest-run.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { SetupDone } from './setup-done.tsx';
import type { Step } from './setup-steps.tsx';
import { TestPanel } from './test-panel.tsx';
import { useTrial } from './trial.ts';

type LaterStep = Exclude<Step, 'type' | 'settings'>;

interface Props {
  appId: string;
  step: LaterStep;
  go: (step: LaterStep) => void;
}

/** The steps after the settings, for an app whose connector is stored. */
export function Setup({ appId, step, go }: Props) {
  const { connector, error, again } = useConnectorOf(appId);
  if (error !== null) return <Failure error={error} again={again} />;
  if (connector === undefined) return null;
  if (connector === null)
    return (
      <Text>
        <Trans>
          This app has no connector.{' '}
          <TextLink to="/apps/new" search={{ app: appId }}>
            Choose a type
          </TextLink>
          .
        </Trans>
      </Text>
    );
  const props = { appId, connector, go };
  if (step === 'test') return <Test {...props} />;
  if (step === 'preview') return <Preview {...props} />;
  if (step === 'schedule') return <Schedule {...props} />;
  return <SetupDone {...props} />;
}

type StepProps = Omit<Props, 'step'> & { connector: Connector };

function Test({ appId, connector, go }: StepProps) {
  const test = useLatestRun(appId, 'test');
  return (
    <Section title={t`Test the connection`}>
      <TestPanel appId={appId} connector={connector} />
      <Group gap="xs" mt="md">
        <Button variant={test?.state === 'succeeded' ? 'filled' : 'default'} onClick={() => go('preview')}>
          {t`Continue to preview`}
        </Button>
        <ButtonLink
          to="/apps/$appId"
          params={{ appId }}
          search={{ tab: 'connection' }}
          variant={test?.state === 'failed' ? 'filled' : 'default'}
        >
          {t`Change settings`}
        </ButtonLink>
      </Group>
    </Section>
  );
}

function Preview({ appId, go }: StepProps) {
  useFirstPreview(appId);
  return (
    <Section title={t`Preview`}>
      <Text size="sm" c="dimmed" mb="sm">
        {t`The first 20 records of each type, as a sync would push them. Nothing is imported yet.`}
      </Text>
      <PreviewPanel appId={appId} />
      <Group gap="xs" mt="md">
        <Button onClick={() => go('schedule')}>{t`Continue to schedule`}</Button>
        <Button variant="default" onClick={() => go('test')}>
          {t`Back`}
        </Button>
      </Group>
    </Section>
  );
}

/** Starts a preview when there has been none. */
function useFirstPreview(appId: string) {
  const { newest, isLoading, start } = useTrial(appId, 'preview');
  const started = useRef(false);
  const isFirst = !isLoading && newest === undefined;
  useEffect(() => {
    if (!isFirst || started.current) return;
    started.current = true;
    start();
  }, [isFirst, start]);
}

const HOURLY = { every_minutes: 60 };

function Schedule({ appId, connector, go }: StepProps) {
  return (
    <Section title={t`Schedule`}>
      <ScheduleForm
        connector={connector}
        suggested={HOURLY}
        action={t`Start first sync`}
        send={async (change) => {
          await changeConnector(appId, { ...change, paused: false });
          await ensureSync(appId);
        }}
        after={() => go('done')}
      />
      <Group mt="md">
        <Button variant="default" onClick={() => go('preview')}>
          {t`Back`}
        </Button>
      </Group>
    </Section>
  );
}
