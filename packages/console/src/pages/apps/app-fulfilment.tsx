import { MultiSelect, NumberInput, Radio, Skeleton, Stack, Switch, Text, Textarea } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Radio.css';
import { useQuery } from '@tanstack/react-query';
import { type Answer, api, get, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Failure } from '../../parts/failure.tsx';
import { picker, useApiForm } from '../../parts/form.ts';
import { TextLink } from '../../parts/links.tsx';
import { PeoplePicker } from '../../parts/person.tsx';
import { Section } from '../../parts/section.tsx';
import { ACTIONS, type Action, actionWord } from '../tasks/task.ts';
import type { App } from './app.ts';
import { Save } from './app-change.tsx';
import classes from './app-settings.module.css';

type Settings = Answer<'/api/apps/{app_id}/fulfilment/'>;

/** How people carry out the tasks of an app that no connector can change. */
export function AppFulfilment({ app }: { app: App }) {
  const path = { app_id: app.external_uuid };
  const settings = useQuery({
    ...get('/api/apps/{app_id}/fulfilment/', { path }),
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
      <legend className={classes.legend}>Fulfilment of {app.name}</legend>
      <FulfilmentForm app={app} settings={settings.data} />
    </fieldset>
  );
}

const DEFAULT_DAYS = 3;
const PLACEHOLDERS =
  '{{app}}, {{account_id}}, {{email}}, {{username}}, {{first_name}}, {{last_name}}, {{added}} and {{removed}}';

interface Values
  extends Omit<Settings, 'instructions' | 'due_in_working_days' | 'escalate_after_working_days'> {
  instructions: Record<Action, string>;
  due_in_working_days: Record<Action, number | string>;
  escalate_after_working_days: number | string;
}

const byAction = <T,>(of: (action: Action) => T) =>
  Object.fromEntries(ACTIONS.map((action) => [action, of(action)])) as Record<Action, T>;

function FulfilmentForm({ app, settings }: { app: App; settings: Settings }) {
  const groups = useQuery(get('/api/person-groups/', { query: { limit: 200 } })).data?.results ?? [];
  const { form, submit, pending, failure } = useApiForm<Values, Settings>({
    initialValues: {
      ...settings,
      instructions: byAction((action) => settings.instructions[action] ?? ''),
      due_in_working_days: byAction((action) => settings.due_in_working_days[action] ?? DEFAULT_DAYS),
      escalate_after_working_days: settings.escalate_after_working_days ?? '',
    },
    send: ({ instructions, due_in_working_days, escalate_after_working_days: escalate, ...rest }) =>
      ok(
        api.PUT('/api/apps/{app_id}/fulfilment/', {
          params: { path: { app_id: app.external_uuid } },
          body: {
            ...rest,
            instructions: Object.fromEntries(
              Object.entries(instructions).filter(([, text]) => text.trim() !== ''),
            ),
            due_in_working_days: byAction((action) => Number(due_in_working_days[action])),
            escalate_after_working_days: escalate === '' ? null : Number(escalate),
          },
        }),
      ),
    success: 'Fulfilment saved',
  });
  const isOn = form.values.enabled;
  return (
    <form onSubmit={submit}>
      <Section title="Fulfilment by people">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            For apps that no connector can change: people make the changes by hand and report them in{' '}
            <TextLink to="/my-tasks" underline="always">
              My tasks
            </TextLink>
            . While this is on, connectors do not get the app's pending tasks.
          </Text>
          <Switch
            label="People carry out the tasks of this app"
            {...form.getInputProps('enabled', { type: 'checkbox', withError: false })}
          />
          {isOn && (
            <>
              <Radio.Group label="Assign tasks to" {...form.getInputProps('assignment')}>
                <Stack gap={6} mt={4}>
                  <Radio value="round_robin" label="The fulfillers in turn" />
                  <Radio value="owner" label="The owner of the app" />
                </Stack>
              </Radio.Group>
              <PeoplePicker
                label="Fulfillers"
                description="If all of them are away, the owner of the app gets the task. Nobody gets tasks for their own account."
                {...picker(form.getInputProps('people'))}
              />
              <MultiSelect
                label="Groups of fulfillers"
                data={groups.map(({ id, display_name }) => ({ value: id, label: display_name }))}
                {...form.getInputProps('groups')}
                searchable
              />
              <NumberInput
                label="Reminder (working days before the due date)"
                description="0: no reminder"
                {...form.getInputProps('remind_before_working_days')}
                min={0}
                max={30}
                allowDecimal={false}
                required
              />
              <NumberInput
                label="Reassign to the owner (working days after the due date)"
                description="Empty: never"
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
        <Section title="Instructions">
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              Plain text. Placeholders: {PLACEHOLDERS}.
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
        <Section title="Working days until a task is due">
          <div className={classes.days}>
            {ACTIONS.map((action) => (
              <NumberInput
                key={action}
                label={`Working days to ${actionWord(action).toLowerCase()}`}
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
      <Save pending={pending} failure={failure} />
    </form>
  );
}
