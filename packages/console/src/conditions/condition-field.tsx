import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useId, useMemo, useState } from 'react';
import classes from './condition-builder.module.css';
import { ConditionBuilder } from './condition-builder.tsx';
import type { Condition } from './condition-model.ts';
import { INCOMPLETE } from './condition-model.ts';
import { readCondition } from './condition-reader.ts';
import { ConditionText } from './condition-text.tsx';
import type { Owner } from './condition-vocabulary.ts';
import { type Matching, MatchingPeople } from './matching-people.tsx';

export interface ConditionFieldProps extends Matching {
  label: string;
  description?: string | undefined;
  /** The owner of the condition, which determines the available fields. */
  of: Owner;
  value: string;
  set: (value: string) => void;
  error?: ReactNode;
  /** Whether the condition can be empty, which matches everyone. */
  optional?: boolean;
  /** Rows to begin with, such as those of a template, some of them incomplete. */
  begin?: Condition | undefined;
  'data-path'?: string;
}

/** A condition: as rows, or as text. A condition that the rows cannot show remains text, and nothing changes it. */
export function ConditionField(props: ConditionFieldProps) {
  const {
    of,
    value,
    set,
    error,
    optional = false,
    begin,
    label,
    description,
    question,
    also,
    ...input
  } = props;
  const read = useMemo(() => readCondition(value, of), [value, of]);
  const why = 'why' in read ? read.why : undefined;
  const [isText, setIsText] = useState(why !== undefined);
  const title = useId();
  // Text that is being typed stays text until the person asks for the builder.
  if (why !== undefined && !isText) setIsText(true);
  const isIncomplete = value === INCOMPLETE;
  const hasError = error !== undefined && error !== null && error !== false;
  // The server refuses an incomplete condition with a place in a text that nobody sees.
  const shown = hasError && isIncomplete ? t`Complete the condition.` : error;
  return (
    <section aria-labelledby={title} {...(!isText && { tabIndex: -1, 'data-path': input['data-path'] })}>
      <div className={classes.head}>
        <span id={title} className={classes.title}>
          {isText ? t`${label} as text` : label}
        </span>
        <Button variant="subtle" disabled={isText && why !== undefined} onClick={() => setIsText(!isText)}>
          {isText ? t`Edit with the builder` : t`Edit as text`}
        </Button>
      </div>
      {description !== undefined && (
        <Text size="sm" c="dimmed" mb={6}>
          {description}
        </Text>
      )}
      {isText && (
        <>
          <ConditionText
            {...input}
            of={of}
            label={label}
            description={t`A CEL expression. People without a value that it compares are left out.`}
            value={isIncomplete ? '' : value}
            set={set}
            error={shown}
            minRows={3}
            required={!optional}
          />
          {why !== undefined && (
            <Text size="sm" c="dimmed">
              <Trans>The builder cannot show this condition. {why}</Trans>
            </Text>
          )}
        </>
      )}
      {/* Keeps incomplete rows, which have no text. */}
      <div hidden={isText}>
        <ConditionBuilder
          of={of}
          value={value}
          set={set}
          optional={optional}
          begin={begin}
          marks={hasError && isIncomplete}
        />
        {!isText && hasError && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={6}>
            {shown}
          </Text>
        )}
      </div>
      <MatchingPeople of={of} condition={isIncomplete ? '' : value} question={question} also={also} />
    </section>
  );
}
