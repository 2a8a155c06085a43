import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { ConditionField } from '../../conditions/condition-field.tsx';
import classes from './condition-builder.module.css';
import { ConditionBuilder } from './condition-builder.tsx';
import { readCondition } from './condition-reader.ts';
import { MatchingPeople } from './matching-people.tsx';
import type { Effect, Trigger } from './policy.ts';

/** The rest of the policy. */
export interface Context {
  trigger: Trigger;
  /** The apps of the effects; undefined: all. */
  apps: readonly string[] | undefined;
  effects: Effect[];
  policyId: string | undefined;
}

interface Props extends Context {
  value: string;
  set: (value: string) => void;
  error?: ReactNode;
}

/** The condition of a policy: as rows, or as CEL. Conditions that the rows cannot display remain CEL. */
export function ConditionEditor({ value, set, error, trigger, apps, effects, policyId, ...field }: Props) {
  const read = useMemo(() => readCondition(value), [value]);
  const why = 'why' in read ? read.why : undefined;
  const [isCel, setIsCel] = useState(why !== undefined);
  const title = useId();
  // Text that is being typed stays CEL until the person asks for the builder.
  if (why !== undefined && !isCel) setIsCel(true);
  return (
    <section aria-labelledby={title}>
      <div className={classes.head}>
        <span id={title} className={classes.title}>
          {isCel ? t`Condition in CEL` : t`Condition`}
        </span>
        <Button variant="subtle" disabled={isCel && why !== undefined} onClick={() => setIsCel(!isCel)}>
          {isCel ? t`Edit with the builder` : t`Edit as CEL`}
        </Button>
      </div>
      {isCel && (
        <>
          <ConditionField
            of="policy"
            {...field}
            label={t`Condition`}
            description={t`A CEL expression. People without a value that it compares are left out.`}
            value={value}
            set={set}
            error={error}
            minRows={3}
            required
          />
          {why !== undefined && (
            <Text size="sm" c="dimmed">
              <Trans>The builder cannot show this condition. {why}</Trans>
            </Text>
          )}
        </>
      )}
      {/* Keeps incomplete rows, which have no CEL. */}
      <div hidden={isCel}>
        <ConditionBuilder value={value} set={set} />
        {!isCel && error !== undefined && error !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </div>
      <MatchingPeople condition={value} trigger={trigger} apps={apps} effects={effects} policyId={policyId} />
    </section>
  );
}
