import { Alert, Button, Group, Text } from '@mantine/core';
import { Moment } from '../../../parts/moment.tsx';
import { type Look, Status } from '../../../parts/status.tsx';
import { milliseconds } from '../../../parts/words.ts';
import classes from './connection.module.css';
import { type Connector, type TestStep, testSteps } from './connector.ts';
import { RunStatus } from './run-status.tsx';
import { useTrial } from './trial.ts';

const STEPS = { reach: 'Reach the system', sign_in: 'Sign in', list: 'List' } as const;
const RESULTS: Record<TestStep['status'], [Look, string]> = {
  ok: ['good', 'Passed'],
  failed: ['bad', 'Failed'],
  skipped: ['idle', 'Skipped'],
};

interface Props {
  appId: string;
  connector: Connector;
}

/** Tests the connection, and shows each step of the newest test. */
export function TestPanel({ appId, connector }: Props) {
  const { run, newest, busy, isLoading, start } = useTrial(appId, 'test');
  const steps = testSteps(run?.result ?? null);
  const nameOf = (slug: string | undefined) =>
    connector.resource_types.find((one) => one.slug === slug)?.name ?? slug ?? '';
  return (
    <div aria-live="polite">
      <Group gap="sm" mb="sm">
        <Button variant="default" onClick={start} loading={busy} disabled={isLoading}>
          {newest === undefined ? 'Test connection' : 'Test again'}
        </Button>
        {newest !== undefined && <RunStatus of={run ?? newest} />}
        {newest !== undefined && (
          <Text size="sm" c="dimmed">
            <Moment at={newest.queued_at} />
          </Text>
        )}
      </Group>
      {run?.error && (
        <Alert color="red" role="alert" mb="sm" title="The test did not pass">
          {run.error}
        </Alert>
      )}
      {steps.length > 0 && (
        <table className={classes.steps} aria-label="Steps of the test">
          <tbody>
            {steps.map(({ step, type, status, duration_ms, message }) => (
              <tr key={`${step} ${type ?? ''}`}>
                <td>
                  <Status of={status} look={RESULTS[status][0]} word={RESULTS[status][1]} />
                </td>
                <th scope="row">{step === 'list' ? `${STEPS.list} ${nameOf(type)}` : STEPS[step]}</th>
                <td>{message}</td>
                <td className={classes.duration}>{status === 'skipped' ? '' : milliseconds(duration_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
