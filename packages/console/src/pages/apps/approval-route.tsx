import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Select, Stack, Switch, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMe } from '../../api/me.ts';
import { Section } from '../../kit/controls/section.tsx';
import { asIs, type Input, orNull, type Values } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { picker } from '../../kit/form/form.ts';
import { optionsOf } from '../../kit/form/form-options.ts';
import { number } from '../../kit/form/number-field.tsx';
import { Save } from '../../kit/form/save.tsx';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '../../kit/icons/icons.ts';
import { PeoplePicker, PersonName } from '../../people/person.tsx';
import type { App } from './app.ts';
import { changeApp, loadApp } from './app-change.tsx';
import classes from './app-settings.module.css';

type ApprovalStep = App['approval_steps'][number];
type Role = Extract<ApprovalStep['approvers'], string>;

/** `key` is for React only. */
type Step = ApprovalStep & { key: number };

const APPROVERS: Record<Role | 'people', string> = {
  manager: t`The person's manager`,
  app_owner: t`The owner of the app`,
  people: t`Specific people`,
};
const REQUIRED: Record<ApprovalStep['require'], string> = {
  any: t`Any one of them`,
  all: t`All of them`,
};
const MAX_STEPS = 10;

const stepName = (number: number) => t`Step ${number}`;

let keys = 0;

const Names = ({ of: people }: { of: readonly string[] }) =>
  people.map((id) => <PersonName key={id} id={id} />);

const FIELDS = {
  approval_steps: {
    label: t`Approval route`,
    initial: [] as Step[],
    read: (steps: unknown) => (steps as ApprovalStep[]).map((step) => ({ ...step, key: keys++ })),
    write: (steps: Step[]) => steps.map(({ approvers, require }) => ({ approvers, require })),
    show: (steps: Step[]) =>
      steps.map(({ key, approvers, require }, index) => (
        <div key={key}>
          {stepName(index + 1)}: {Array.isArray(approvers) ? <Names of={approvers} /> : APPROVERS[approvers]}
          {Array.isArray(approvers) && ` (${REQUIRED[require]})`}
        </div>
      )),
  },
  fallback_approvers: {
    ...asIs<string[] | null>(t`Fallback approvers`, null),
    show: (people: string[] | null) => (people === null ? t`Off` : <Names of={people} />),
    control: (input: Input) => <Fallback {...picker(input)} />,
  },
  escalate_after_working_days: {
    ...orNull(
      number({
        label: t`Escalate after (working days)`,
        description: t`If nobody has decided by then, the approver's manager can decide, too, and after twice as long the fallback approvers. Leave empty to never escalate.`,
        min: 1,
        max: 100,
      }),
    ),
    show: (days: number | string) => (days === '' ? t`Never` : days),
  },
};
type Form = UseFormReturnType<Values<typeof FIELDS>>;

/** The approval steps of requests for an app, in order (protocol 13). */
export function ApprovalRoute({ app }: { app: App }) {
  const { manages } = useMe();
  const fields = useFields(FIELDS, {
    of: app,
    read: () => loadApp(app),
    send: (body, { version }) => changeApp(app, body, version),
    success: t`Approval route saved`,
  });
  const { form } = fields;
  const { approval_steps: steps, fallback_approvers: fallback } = form.values;
  const incomplete =
    steps.some(({ approvers }) => approvers.length === 0) || (fallback !== null && fallback.length === 0);

  return (
    <Section title={t`Approval route`}>
      <form onSubmit={fields.submit}>
        <Text size="sm" c="dimmed" mb="xs">
          <Trans>
            Requests for this app go through these steps in order. One denial ends a request. Nobody can
            approve their own request.
          </Trans>
        </Text>
        {steps.map((step, index) => (
          <fieldset key={step.key} className={classes.step} aria-label={stepName(index + 1)}>
            <div className={classes.stepHead}>
              <strong>{stepName(index + 1)}</strong>
              {manages && steps.length > 1 && <StepButtons form={form} index={index} />}
            </div>
            <StepFields form={form} index={index} />
          </fieldset>
        ))}
        <Stack gap="sm">
          {manages && steps.length < MAX_STEPS && (
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={15} aria-hidden />}
                onClick={() =>
                  form.insertListItem('approval_steps', { approvers: 'manager', require: 'any', key: keys++ })
                }
              >
                <Trans>Add step</Trans>
              </Button>
            </Group>
          )}
          <Fields of={fields} only={['fallback_approvers', 'escalate_after_working_days']} />
          {incomplete ? (
            <Text size="sm" role="status">
              <Trans>
                Choose at least one person for each step with specific people and for the fallback approvers.
              </Trans>
            </Text>
          ) : (
            <Save {...fields} />
          )}
        </Stack>
      </form>
    </Section>
  );
}

interface FallbackProps {
  value: string[] | null;
  set: (people: string[] | null) => void;
}

function Fallback({ value, set, ...field }: FallbackProps) {
  return (
    <>
      <Switch
        label={t`Use fallback approvers`}
        description={t`They decide when nobody in a step can. Otherwise the organization's administrators decide.`}
        checked={value !== null}
        onChange={({ currentTarget }) => set(currentTarget.checked ? [] : null)}
      />
      {value !== null && (
        <PeoplePicker {...field} label={t`Fallback approvers`} value={value} set={set} required />
      )}
    </>
  );
}

interface StepProps {
  form: Form;
  index: number;
}

function StepButtons({ form, index }: StepProps) {
  const number = index + 1;
  const move = (to: number) => form.reorderListItem('approval_steps', { from: index, to });
  return (
    <Group gap={4}>
      <ActionIcon
        aria-label={t`Move step ${number} up`}
        disabled={index === 0}
        onClick={() => move(index - 1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={t`Move step ${number} down`}
        disabled={index === form.values.approval_steps.length - 1}
        onClick={() => move(index + 1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={t`Remove step ${number}`}
        onClick={() => form.removeListItem('approval_steps', index)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function StepFields({ form, index }: StepProps) {
  const path = `approval_steps.${index}` as const;
  const approvers = form.values.approval_steps[index]?.approvers;
  const named = Array.isArray(approvers);
  return (
    <>
      <Select
        label={t`Approvers`}
        data={optionsOf(APPROVERS)}
        value={named ? 'people' : (approvers ?? null)}
        allowDeselect={false}
        onChange={(next) => form.setFieldValue(`${path}.approvers`, next === 'people' ? [] : (next ?? []))}
      />
      {named && (
        <>
          <PeoplePicker label={t`People`} {...picker(form.getInputProps(`${path}.approvers`))} required />
          <Select
            label={t`Required approvals`}
            data={optionsOf(REQUIRED)}
            {...form.getInputProps(`${path}.require`)}
            allowDeselect={false}
          />
        </>
      )}
    </>
  );
}
