import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch } from '../../api/version.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { multi, toggle } from '../../kit/form/choice-fields.tsx';
import { orNull } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { number } from '../../kit/form/number-field.tsx';
import { radios } from '../../kit/form/radio-field.tsx';
import { Save } from '../../kit/form/save.tsx';
import { area } from '../../kit/form/text-fields.tsx';
import { listed } from '../../kit/text/listed.ts';
import { groupNames } from '../../people/group-names.ts';
import { people } from '../../people/person-fields.tsx';
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
  if (settings.data === undefined) return <Unready of={settings} height={240} />;
  return (
    <fieldset className={classes.settings} disabled={!manages}>
      <legend className={classes.legend}>{t`Fulfillment of ${name}`}</legend>
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

/** Makes an entry for each action: "text_create_account". */
const forActions = <P extends string, T>(prefix: P, of: (action: Action) => T) =>
  Object.fromEntries(ACTIONS.map((action) => [`${prefix}_${action}`, of(action)])) as Record<
    `${P}_${Action}`,
    T
  >;

const FIELDS = {
  enabled: toggle({ label: t`People carry out the tasks of this app` }),
  assignment: radios({
    label: t`Assign tasks to`,
    data: optionsOf<Settings['assignment']>({
      round_robin: t`The fulfillers in turn`,
      owner: t`The owner of the app`,
    }),
    initial: 'round_robin',
  }),
  people: people({
    label: t`Fulfillers`,
    description: t`If all of them are away, the owner of the app gets the task. Nobody gets tasks for their own account.`,
  }),
  groups: multi({ label: t`Groups of fulfillers`, searchable: true }),
  remind_before_working_days: number({
    label: t`Reminder (working days before the due date)`,
    description: t`0: no reminder`,
    min: 0,
    max: 30,
    required: true,
  }),
  escalate_after_working_days: orNull(
    number({
      label: t`Reassign to the owner (working days after the due date)`,
      description: t`Empty: never`,
      min: 1,
      max: 100,
    }),
  ),
  ...forActions('text', (action) =>
    area({ label: actionWord(action), maxLength: 10_000, autosize: true, minRows: 1, maxRows: 12 }),
  ),
  ...forActions('days', (action) =>
    number({ label: DAYS_LABELS[action], min: 1, max: 100, required: true, initial: DEFAULT_DAYS }),
  ),
};

function FulfillmentForm({ app, settings }: { app: App; settings: Settings }) {
  const found = useQuery(get('/api/person-groups/', { query: { limit: 200 } }));
  const names = groupNames(found.data?.results ?? []);
  const path = { app_id: app.external_uuid };
  const fields = {
    ...FIELDS,
    groups: { ...FIELDS.groups, show: (ids: string[]) => ids.map((id) => names.get(id) ?? id).join(', ') },
  };
  const form = useFields(fields, {
    of: settings,
    read: () => load('/api/apps/{app_id}/fulfillment/', { path }),
    from: ({ instructions, due_in_working_days: days, ...rest }: Settings) => ({
      ...rest,
      ...forActions('text', (action) => instructions[action]),
      ...forActions('days', (action) => days[action]),
    }),
    fieldOf: (field) => field.replace(/^instructions\./, 'text_').replace(/^due_in_working_days\./, 'days_'),
    validate: {
      people: (chosen, { enabled, groups, assignment }) =>
        enabled && assignment !== 'owner' && app.owner === null && chosen.length + groups.length === 0
          ? nobody()
          : null,
      assignment: (assignment, { enabled }) =>
        enabled && assignment === 'owner' && app.owner === null ? noOwner() : null,
    },
    send: (body, { version }) => {
      const { enabled, assignment, people, groups } = body;
      const { remind_before_working_days, escalate_after_working_days } = body;
      const byAction = <T,>(of: (action: Action) => T) =>
        Object.fromEntries(ACTIONS.map((action) => [action, of(action) || undefined]));
      return ok(
        api.PUT('/api/apps/{app_id}/fulfillment/', {
          params: { path, header: ifMatch(version) },
          body: {
            enabled,
            assignment,
            people,
            groups,
            remind_before_working_days,
            escalate_after_working_days,
            instructions: byAction((action) => body[`text_${action}`]),
            due_in_working_days: byAction((action) => body[`days_${action}`]),
          },
        }),
      );
    },
    success: t`Fulfillment saved`,
  });
  const isOn = form.values.enabled;
  return (
    <form onSubmit={form.submit}>
      <Section title={t`Manual fulfillment`}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            <Trans>
              For apps that no connector can change: people make the changes by hand and report them in{' '}
              <TextLink to="/tasks" search={{ whose: 'mine' }} underline="always">
                Tasks
              </TextLink>
              . While this is on, connectors do not get the app's pending tasks.
            </Trans>
          </Text>
          <Fields of={form} only={['enabled']} />
          {isOn && (
            <Fields
              of={form}
              only={[
                'assignment',
                'people',
                'groups',
                'remind_before_working_days',
                'escalate_after_working_days',
              ]}
              props={{ groups: { data: [...names].map(([value, label]) => ({ value, label })) } }}
            />
          )}
        </Stack>
      </Section>
      {isOn && (
        <Section title={t`Instructions`}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t`Plain text. Placeholders: ${PLACEHOLDERS}.`}
            </Text>
            <Fields of={form} only={ACTIONS.map((action) => `text_${action}` as const)} />
          </Stack>
        </Section>
      )}
      {isOn && (
        <Section title={t`Working days until a task is due`}>
          <div className={classes.days}>
            <Fields of={form} only={ACTIONS.map((action) => `days_${action}` as const)} />
          </div>
        </Section>
      )}
      <Save {...form} />
    </form>
  );
}
