import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/NumberInput.css';
import { Button, Checkbox, Group, NumberInput, Select, Stack, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { ConditionHelp, OF_POLICIES } from '../../conditions/condition-help.tsx';
import type { Edits } from '../../kit/form/edits.ts';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { IconPlus } from '../../kit/icons/icons.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { EffectFields } from './effect-fields.tsx';
import classes from './policies.module.css';
import {
  bodyOf,
  type Draft,
  fieldOf,
  hasDays,
  missingValue,
  type Policy,
  TRIGGER_OPTIONS,
  TRIGGERS,
  UNITS,
} from './policy.ts';
import { PolicySentence } from './policy-sentence.tsx';

interface Props {
  from: Draft;
  /** The label of the button. */
  action: string;
  send: (draft: Draft, version: string | undefined) => Promise<Policy>;
  /** For a policy that exists. */
  edits?: Edits<Draft>;
  success: string;
  after?: (policy: Policy) => void;
  /** A note next to the button on what saving does. */
  about: ReactNode;
  /** Whether `from` is a saved policy. It can be saved again only after a change. */
  saved?: boolean;
  policyId?: string;
}

const MAX_EFFECTS = 20;

/** The apps that the effects name, or undefined for all. */
function appsOf({ effects }: Draft): string[] | undefined {
  const named = effects.flatMap(({ everywhere, app }) => (everywhere || app === null ? [] : [app]));
  return effects.some(({ everywhere }) => everywhere) || named.length === 0 ? undefined : [...new Set(named)];
}

/** The form for a new or existing policy. It shows the complete policy as a sentence. */
export function Editor({ from, action, send, edits, success, after, about, saved = false, policyId }: Props) {
  const { form, submit, pending, failure } = useApiForm<Draft, Policy>({
    initialValues: from,
    send,
    fieldOf,
    success,
    ...(edits === undefined ? {} : { edits }),
    ...(after === undefined ? {} : { after }),
  });
  const draft = form.values;
  const missing = missingValue(draft);
  const unchanged = saved && JSON.stringify(bodyOf(draft)) === JSON.stringify(bodyOf(from));
  const setCondition = (condition: string) => form.setFieldValue('condition', condition);
  return (
    <div className={classes.editor}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput label={t`Name`} {...form.getInputProps('name')} required maxLength={255} />
          <Select
            label={t`Trigger`}
            description={TRIGGERS[draft.trigger].about}
            data={TRIGGER_OPTIONS}
            {...form.getInputProps('trigger')}
            allowDeselect={false}
          />
          {hasDays(draft.trigger) && (
            <NumberInput
              label={t`Days after`}
              description={t`0 is the day itself. A negative number is that many days before.`}
              {...form.getInputProps('offset_days')}
              min={-90}
              max={90}
              allowDecimal={false}
              required
              w={260}
            />
          )}
          <ConditionEditor
            {...picker(form.getInputProps('condition'))}
            trigger={draft.trigger}
            apps={appsOf(draft)}
            effects={bodyOf(draft).effects.filter(({ app }) => app !== '')}
            policyId={policyId}
          />
          <Effects form={form} />
          <DelayFields form={form} />
          <Checkbox
            label={t`Decide again before each task`}
            description={t`When a task is due, and before a connector gets it, the trigger and the condition must still hold.`}
            {...form.getInputProps('recheck', { type: 'checkbox' })}
          />
          {missing === undefined && <PolicySentence of={bodyOf(draft)} />}
          <FormFailure of={failure} />
          <Group gap="sm">
            <Button type="submit" loading={pending} disabled={missing !== undefined || unchanged}>
              {action}
            </Button>
            <span className={classes.about}>{missing ?? (unchanged ? t`No unsaved changes` : about)}</span>
          </Group>
        </Stack>
      </form>
      <aside className={classes.help} aria-label={t`Available fields`}>
        <Title order={2}>
          <Trans>Available fields</Trans>
        </Title>
        <ConditionHelp of={OF_POLICIES} use={setCondition} />
      </aside>
    </div>
  );
}

interface FieldsProps {
  form: UseFormReturnType<Draft>;
}

function Effects({ form }: FieldsProps) {
  const { effects } = form.values;
  const add = () => {
    const key = Math.max(0, ...effects.map((effect) => effect.key)) + 1;
    form.insertListItem('effects', { key, do: 'suspend', everywhere: false, app: null, chosen: [] });
  };
  return (
    <section aria-label={t`Effects`}>
      <Title order={2} mb={6}>
        <Trans>Effects</Trans>
      </Title>
      {effects.map((effect, index) => (
        <EffectFields key={effect.key} form={form} effect={effect} index={index} />
      ))}
      {effects.length < MAX_EFFECTS && (
        <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
          <Trans>Add effect</Trans>
        </Button>
      )}
    </section>
  );
}

function DelayFields({ form }: FieldsProps) {
  const { unit } = form.values.delay;
  return (
    <div className={classes.inline}>
      {unit !== 'now' && unit !== 'other' && (
        <NumberInput
          label={t`Number`}
          {...form.getInputProps('delay.number')}
          min={1}
          max={99_999}
          allowDecimal={false}
          required
          w={110}
        />
      )}
      {unit === 'other' && (
        <TextInput label={t`Duration`} placeholder="P1M15D" {...form.getInputProps('delay.text')} w={160} />
      )}
      <Select
        label={t`Delay`}
        data={optionsOf(UNITS)}
        {...form.getInputProps('delay.unit')}
        allowDeselect={false}
        w={190}
      />
    </div>
  );
}
