import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MultiSelect, NumberInput, Radio, Skeleton, Stack, Switch, Text, Textarea } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Radio.css';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';
import { ifMatch } from '../../api/version.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { editsFrom, type Row } from '../../kit/form/edits.ts';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { Save } from '../../kit/form/save.tsx';
import { listed } from '../../kit/text/listed.ts';
import { groupNames } from '../../people/group-names.ts';
import { PeoplePicker, PersonName } from '../../people/person.tsx';
import { ACTIONS, type Action, actionWord } from '../tasks/task.ts';
import type { App } from './app.ts';
import classes from './app-settings.module.css';
import { nobody, noOwner } from './nobody.ts';

type Settings = Answer<'/api/apps/{app_id}/fulfillment/'>;

/** How people carry out the tasks of an app that no connector can change. */
export function AppFulfillment({ app }: { app: App }) {
  const path = { app_id: app.external_uuid };
  const { name } = app;
  const settings = useQuery({
    ...get('/api/apps/{app_id}/fulfillment/', { path }),
    refetchOnWindowFocus: false,
  });
  const { manages } = useMe();
  if (settings.data === undefined)
    return settings.isError ? (
      <Failure error={settings.error} again={() => void settings.refetch()} />
    ) : (
      <Skeleton height={240} />
    );
  return (
    <fieldset className={classes.settings} disabled={!manages}>
      <legend className={classes.legend}>
        <Trans>Fulfillment of {name}</Trans>
      </legend>
      <FulfillmentForm app={app} settings={settings.data} />
    </fieldset>
  );
}

const DEFAULT_DAYS = 3;
const PLACEHOLDERS = listed(
  ['app', 'account_id', 'email', 'username', 'first_name', 'last_name', 'added', 'removed'].map(
    (name) => `{{${name}}}`,
  ),
);
/** The label of the field for the due date of tasks with an action. */
const DAYS_LABELS: Record<Action, string> = {
  create_account: t`Working days to create account`,
  update_account: t`Working days to change access`,
  delete_account: t`Working days to delete account`,
  suspend_account: t`Working days to suspend account`,
  unsuspend_account: t`Working days to unsuspend account`,
  reset_password: t`Working days to reset password`,
};

interface Values
  extends Omit<Settings, 'instructions' | 'due_in_working_days' | 'escalate_after_working_days'> {
  instructions: Record<Action, string>;
  due_in_working_days: Record<Action, number | string>;
  escalate_after_working_days: number | string;
}

const byAction = <T,>(of: (action: Action) => T) =>
  Object.fromEntries(ACTIONS.map((action) => [action, of(action)])) as Record<Action, T>;

const valuesOf = (settings: Settings): Values => ({
  ...settings,
  instructions: byAction((action) => settings.instructions[action] ?? ''),
  due_in_working_days: byAction((action) => settings.due_in_working_days[action] ?? DEFAULT_DAYS),
  escalate_after_working_days: settings.escalate_after_working_days ?? '',
});

type Body = NonNullable<
  paths['/api/apps/{app_id}/fulfillment/']['put']['requestBody']
>['content']['application/json'];

function bodyOf({ instructions, due_in_working_days, escalate_after_working_days, ...rest }: Values): Body {
  const written = Object.entries(instructions).filter(([, text]) => text.trim() !== '');
  return {
    ...rest,
    instructions: Object.fromEntries(written),
    due_in_working_days: byAction((action) => Number(due_in_working_days[action])),
    escalate_after_working_days:
      escalate_after_working_days === '' ? null : Number(escalate_after_working_days),
  };
}

const ASSIGNMENTS: Record<Settings['assignment'], string> = {
  round_robin: t`The fulfillers in turn`,
  owner: t`The owner of the app`,
};

/** Returns the rows to compare if somebody else has changed the settings. */
function rowsOf(values: Values, names: ReadonlyMap<string, string>): Row[] {
  const text = (label: string, value: unknown) => ({ label, value: String(value), show: String(value) });
  return [
    {
      label: t`People carry out the tasks of this app`,
      value: values.enabled,
      show: values.enabled ? t`Yes` : t`No`,
    },
    text(t`Assign tasks to`, ASSIGNMENTS[values.assignment]),
    {
      label: t`Fulfillers`,
      value: values.people.toSorted(),
      show: values.people.map((id) => (
        <div key={id}>
          <PersonName id={id} />
        </div>
      )),
    },
    text(
      t`Groups of fulfillers`,
      values.groups
        .map((id) => names.get(id) ?? id)
        .toSorted()
        .join(', '),
    ),
    text(t`Reminder (working days before the due date)`, values.remind_before_working_days),
    text(t`Reassign to the owner (working days after the due date)`, values.escalate_after_working_days),
    ...ACTIONS.map((action) => text(actionWord(action), values.instructions[action].trim())),
    ...ACTIONS.map((action) => text(DAYS_LABELS[action], values.due_in_working_days[action])),
  ];
}

function FulfillmentForm({ app, settings }: { app: App; settings: Settings }) {
  const found = useQuery(get('/api/person-groups/', { query: { limit: 200 } }));
  const groups = found.data?.results ?? [];
  const path = { app_id: app.external_uuid };
  const { form, submit, pending, changed, failure } = useApiForm<Values, Settings>({
    initialValues: valuesOf(settings),
    validate: {
      people: (people, { enabled, groups: chosen, assignment }) =>
        enabled && assignment !== 'owner' && app.owner === null && people.length + chosen.length === 0
          ? nobody()
          : null,
      assignment: (assignment, { enabled }) =>
        enabled && assignment === 'owner' && app.owner === null ? noOwner() : null,
    },
    send: (values, version) =>
      ok(
        api.PUT('/api/apps/{app_id}/fulfillment/', {
          params: { path, header: ifMatch(version) },
          body: bodyOf(values),
        }),
      ),
    edits: editsFrom(
      settings,
      () => load('/api/apps/{app_id}/fulfillment/', { path }),
      valuesOf,
      (values) => rowsOf(values, groupNames(groups)),
    ),
    success: t`Fulfillment saved`,
  });
  const isOn = form.values.enabled;
  return (
    <form onSubmit={submit}>
      <Section title={t`Manual fulfillment`}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            <Trans>
              For apps that no connector can change: people make the changes by hand and report them in{' '}
              <TextLink to="/my-tasks" underline="always">
                My tasks
              </TextLink>
              . While this is on, connectors do not get the app's pending tasks.
            </Trans>
          </Text>
          <Switch
            label={t`People carry out the tasks of this app`}
            {...form.getInputProps('enabled', { type: 'checkbox', withError: false })}
          />
          {isOn && (
            <>
              <Radio.Group label={t`Assign tasks to`} {...form.getInputProps('assignment')}>
                <Stack gap={6} mt={4}>
                  {Object.entries(ASSIGNMENTS).map(([value, label]) => (
                    <Radio key={value} value={value} label={label} />
                  ))}
                </Stack>
              </Radio.Group>
              <PeoplePicker
                label={t`Fulfillers`}
                description={t`If all of them are away, the owner of the app gets the task. Nobody gets tasks for their own account.`}
                {...picker(form.getInputProps('people'))}
              />
              <MultiSelect
                label={t`Groups of fulfillers`}
                data={[...groupNames(groups)].map(([value, label]) => ({ value, label }))}
                {...form.getInputProps('groups')}
                searchable
              />
              <NumberInput
                label={t`Reminder (working days before the due date)`}
                description={t`0: no reminder`}
                {...form.getInputProps('remind_before_working_days')}
                min={0}
                max={30}
                allowDecimal={false}
                required
              />
              <NumberInput
                label={t`Reassign to the owner (working days after the due date)`}
                description={t`Empty: never`}
                {...form.getInputProps('escalate_after_working_days')}
                min={1}
                max={100}
                allowDecimal={false}
              />
            </>
          )}
        </Stack>
      </Section>
      {isOn && (
        <Section title={t`Instructions`}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              <Trans>Plain text. Placeholders: {PLACEHOLDERS}.</Trans>
            </Text>
            {ACTIONS.map((action) => (
              <Textarea
                key={action}
                label={actionWord(action)}
                {...form.getInputProps(`instructions.${action}`)}
                maxLength={10_000}
                autosize
                minRows={1}
                maxRows={12}
              />
            ))}
          </Stack>
        </Section>
      )}
      {isOn && (
        <Section title={t`Working days until a task is due`}>
          <div className={classes.days}>
            {ACTIONS.map((action) => (
              <NumberInput
                key={action}
                label={DAYS_LABELS[action]}
                {...form.getInputProps(`due_in_working_days.${action}`)}
                min={1}
                max={100}
                allowDecimal={false}
                required
              />
            ))}
          </div>
        </Section>
      )}
      <Save changed={changed} pending={pending} failure={failure} />
    </form>
  );
}
