import { t } from '@lingui/core/macro';
import { type Look, Status } from '../../../kit/controls/status.tsx';
import { milliseconds } from '../../../kit/text/words.ts';
import classes from './connection.module.css';
import { type Connector, type TestStep, testSteps } from './connector.ts';
import { useTrial } from './trial.ts';
import { TrialFrame } from './trial-frame.tsx';

const STEPS = { reach: t`Connect`, sign_in: t`Sign in` } as const;
const listWords = (records: string) => t`List ${records}`;
const RESULTS: Record<TestStep['status'], [Look, string]> = {
  ok: ['proven', t`Passed`],
  failed: ['bad', t`Failed`],
  skipped: ['idle', t`Skipped`],
};

interface Props {
  appId: string;
  connector: Connector;
}

/** Tests the connection, and shows each step of the newest test. */
export function TestPanel({ appId, connector }: Props) {
  const trial = useTrial(appId, 'test');
  const steps = testSteps(trial.run?.result ?? null);
  const nameOf = (slug: string | undefined) =>
    connector.resource_types.find((one) => one.slug === slug)?.name ?? slug ?? '';
  return (
    <TrialFrame
      trial={trial}
      first={t`Test connection`}
      again={t`Test again`}
      failed={t`The test did not pass`}
    >
      {steps.length > 0 && (
        <table className={classes.steps} aria-label={t`Steps of the test`}>
          <tbody>
            {steps.map(({ step, type, status, duration_ms, message }) => (
              <tr key={`${step} ${type ?? ''}`}>
                <td>
                  <Status of={status} look={RESULTS[status][0]} word={RESULTS[status][1]} />
                </td>
                <th scope="row">{step === 'list' ? listWords(nameOf(type)) : STEPS[step]}</th>
                <td>{message}</td>
                <td className={classes.duration}>{status === 'skipped' ? '' : milliseconds(duration_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </TrialFrame>
  );
}
