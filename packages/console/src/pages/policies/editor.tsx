import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { ConditionHelp, OF_POLICIES } from '../../conditions/condition-help.tsx';
import type { Condition } from '../../conditions/condition-model.ts';
import { valuesIn } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { Contradictions } from './contradictions.tsx';
import { EffectFields } from './effect-fields.tsx';
import classes from './policies.module.css';
import { hasDays, type Policy, TRIGGERS } from './policy.ts';
import { bodyOf, type Draft, FIELDS, fieldOf, missingValue, NEW_EFFECT } from './policy-fields.tsx';
import { PolicySentence } from './policy-sentence.tsx';

interface Props {
  /** A policy, or a template for a new one. */
  of: Partial<Policy> | undefined;
  /** The rows of its condition, if they are not complete. */
  begin?: Condition | undefined;
  /** Loads a policy that exists. It can be saved only after a change. */
  read?: () => Promise<Policy>;
  /** The label of the button. */
  action: string;
  send: (body: ReturnType<typeof bodyOf>, version: string | undefined) => Promise<Policy>;
  success: string;
  after?: (policy: Policy) => void;
  /** A note next to the button on what saving does. */
  about: ReactNode;
  policyId?: string;
}

const MAX_EFFECTS = 20;

/** The apps that the effects name, or undefined for all. */
function appsOf({ effects }: Draft): string[] | undefined {
  const named = effects.flatMap(({ everywhere, app }) => (everywhere || app === null ? [] : [app]));
  return effects.some(({ everywhere }) => everywhere) || named.length === 0 ? undefined : [...new Set(named)];
}

/** The form for a new or existing policy. It shows the complete policy as a sentence. */
export function Editor({ of, begin, read, action, send, success, after, about, policyId }: Props) {
  const fields = useFields(FIELDS, {
    of,
    read,
    from: (policy) => policy,
    send: (_, { values, version }) => send(bodyOf(values), version),
    fieldOf,
    success,
    ...(after === undefined ? {} : { after }),
  });
  const { form, values: draft } = fields;
  const body = bodyOf(draft);
  const apps = appsOf(draft);
  const missing = missingValue(draft);
  const unchanged =
    read !== undefined && JSON.stringify(body) === JSON.stringify(bodyOf(valuesIn(FIELDS, of)));
  return (
    <div className={classes.editor}>
      <form onSubmit={fields.submit}>
        <Stack gap="md">
          <Fields
            of={fields}
            only={['name', 'trigger', hasDays(draft.trigger) && 'offset_days', 'condition']}
            props={{
              trigger: { description: TRIGGERS[draft.trigger].about },
              condition: {
                question: {
                  ...{ trigger: draft.trigger, policy: policyId ?? null },
                  ...(apps === undefined ? {} : { apps }),
                  effects: body.effects.filter(({ app }) => app !== ''),
                },
                begin,
                also: ({ contradicts }) => <Contradictions of={contradicts} />,
              },
            }}
          />
          <Effects form={form} />
          <Fields of={fields} only={['delay', 'recheck']} />
          {missing === undefined && <PolicySentence of={body} />}
          <FormFailure of={fields.failure} />
          <Group gap="sm">
            <Button type="submit" loading={fields.pending} disabled={missing !== undefined || unchanged}>
              {action}
            </Button>
            <span className={classes.about}>{missing ?? (unchanged ? t`No unsaved changes` : about)}</span>
          </Group>
        </Stack>
      </form>
      <aside className={classes.help} aria-label={t`Available fields`}>
        <Title order={2}>{t`Available fields`}</Title>
        <ConditionHelp of={OF_POLICIES} use={(condition) => form.setFieldValue('condition', condition)} />
      </aside>
    </div>
  );
}

function Effects({ form }: { form: UseFormReturnType<Draft> }) {
  const { effects } = form.values;
  const add = () => {
    const key = Math.max(0, ...effects.map((effect) => effect.key)) + 1;
    form.insertListItem('effects', { ...NEW_EFFECT, key, do: 'suspend' });
  };
  return (
    <section aria-label={t`Effects`}>
      <Title order={2} mb={6}>
        {t`Effects`}
      </Title>
      {effects.map((effect, index) => (
        <EffectFields key={effect.key} form={form} effect={effect} index={index} />
      ))}
      {effects.length < MAX_EFFECTS && (
        <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
          {t`Add effect`}
        </Button>
      )}
    </section>
  );
}
