import { t } from '@lingui/core/macro';
import classes from './connection.module.css';

const STEPS = {
  type: t`Type`,
  settings: t`Settings`,
  test: t`Test`,
  preview: t`Preview`,
  schedule: t`Schedule`,
  done: t`Done`,
} as const;
export type Step = keyof typeof STEPS;

/** The steps of adding an app, with the current one. */
export function SetupSteps({ current }: { current: Step }) {
  const steps = Object.entries(STEPS);
  const at = steps.findIndex(([step]) => step === current);
  return (
    <nav aria-label={t`Steps`}>
      <ol className={classes.progress}>
        {steps.map(([step, name], index) => (
          <li
            key={step}
            data-done={index < at || undefined}
            {...(index === at ? { 'aria-current': 'step' as const } : {})}
          >
            {name}
          </li>
        ))}
      </ol>
    </nav>
  );
}
