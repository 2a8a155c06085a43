import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Radio.css';
import { Button, Group, NumberInput, Radio, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { Row } from '../../../kit/form/edits.ts';
import { useApiForm } from '../../../kit/form/form.ts';
import { FormFailure } from '../../../kit/form/form-failure.tsx';
import { ownTimeZone, timeZones } from '../../../kit/form/time-zones.ts';
import { type Connector, editsOf, type Schedule } from './connector.ts';
import { scheduleWords } from './schedule.ts';

interface Values {
  how: 'every' | 'cron' | 'never';
  every: number | string;
  unit: 'minutes' | 'hours';
  schedule: { cron: string; time_zone: string };
  carries_out_tasks: boolean;
}

const UNITS = [
  { value: 'minutes', label: t`minutes` },
  { value: 'hours', label: t`hours` },
];

interface Props<T> {
  connector: Connector;
  /** The schedule that the form suggests for a connector without one. */
  suggested?: Schedule;
  send: (
    change: { schedule: Schedule | null; carries_out_tasks: boolean },
    version: string | undefined,
  ) => Promise<T>;
  /** The app of a connector that others may change at the same time. */
  appId?: string;
  after?: (result: T) => void;
  success?: string;
  action: string;
  disabled?: boolean;
}

/** When syncs run, and whether the connector carries out tasks. */
export function ScheduleForm<T>({ connector, suggested, action, disabled = false, ...props }: Props<T>) {
  const { appId } = props;
  const { form, submit, pending, failure } = useApiForm<Values, T>({
    initialValues: initialValues(connector, suggested),
    send: (values, version) =>
      props.send({ schedule: scheduleOf(values), carries_out_tasks: values.carries_out_tasks }, version),
    ...(appId === undefined ? {} : { edits: editsOf({ appId, connector }, initialValues, rowsOf) }),
    fieldOf: (path) => (path.startsWith('schedule.every_minutes') ? 'every' : path),
    ...(props.after === undefined ? {} : { after: props.after }),
    ...(props.success === undefined ? {} : { success: props.success }),
  });
  const { how, unit, carries_out_tasks } = form.values;
  const schedule = scheduleWords(scheduleOf(form.values));
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={560}>
        <Radio.Group label={t`Syncs`} {...form.getInputProps('how')}>
          <Group gap="md" mt={4}>
            <Radio value="every" label={t`Regularly`} />
            <Radio value="cron" label={t`At set times`} />
            <Radio value="never" label={t`Only by hand`} />
          </Group>
        </Radio.Group>
        {how === 'every' && (
          <Group gap="sm" align="flex-end">
            <NumberInput
              label={t`Every`}
              {...form.getInputProps('every')}
              min={unit === 'hours' ? 1 : 5}
              max={unit === 'hours' ? 168 : 10_080}
              allowDecimal={false}
              required
              w={120}
            />
            <Select
              aria-label={t`Unit`}
              data={UNITS}
              {...form.getInputProps('unit')}
              allowDeselect={false}
              w={120}
            />
          </Group>
        )}
        {how === 'cron' && (
          <>
            <TextInput
              label={t`Cron expression`}
              description={t`Minute, hour, day of month, month and day of week, such as 30 6 * * 1-5.`}
              {...form.getInputProps('schedule.cron')}
              required
              spellCheck={false}
              autoComplete="off"
            />
            <Select
              label={t`Time zone`}
              data={timeZones(form.values.schedule.time_zone)}
              {...form.getInputProps('schedule.time_zone')}
              searchable
              allowDeselect={false}
              required
            />
          </>
        )}
        {connector.tasks.length > 0 && (
          <Switch
            label={t`Carry out tasks`}
            description={t`Pending tasks of this app start a run that carries them out in the system.`}
            {...form.getInputProps('carries_out_tasks', { type: 'checkbox', withError: false })}
          />
        )}
        <Text size="sm" role="status">
          <Trans>Syncs run {schedule}.</Trans>{' '}
          {connector.tasks.length === 0
            ? t`This connector only reads.`
            : carries_out_tasks
              ? t`Pending tasks are carried out as they arrive.`
              : t`Tasks wait until someone runs them.`}
        </Text>
        <FormFailure of={failure} />
        {!disabled && (
          <Group>
            <Button type="submit" loading={pending}>
              {action}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Returns the rows to compare if somebody else has changed the connector. */
const rowsOf = (values: Values): Row[] => [
  { label: t`Syncs`, value: scheduleOf(values), show: scheduleWords(scheduleOf(values)) },
  {
    label: t`Carry out tasks`,
    value: values.carries_out_tasks,
    show: values.carries_out_tasks ? t`Yes` : t`No`,
  },
];

function initialValues({ schedule: stored, carries_out_tasks }: Connector, suggested?: Schedule): Values {
  const schedule = stored ?? suggested ?? null;
  const minutes = schedule !== null && 'every_minutes' in schedule ? schedule.every_minutes : 60;
  const inHours = minutes % 60 === 0;
  return {
    how: schedule === null ? 'never' : 'every_minutes' in schedule ? 'every' : 'cron',
    every: inHours ? minutes / 60 : minutes,
    unit: inHours ? 'hours' : 'minutes',
    schedule:
      schedule !== null && 'cron' in schedule
        ? { cron: schedule.cron, time_zone: schedule.time_zone }
        : { cron: '30 6 * * 1-5', time_zone: ownTimeZone() },
    carries_out_tasks,
  };
}

function scheduleOf({ how, every, unit, schedule }: Values): Schedule | null {
  if (how === 'never') return null;
  if (how === 'cron') return schedule;
  return { every_minutes: Number(every) * (unit === 'hours' ? 60 : 1) };
}
