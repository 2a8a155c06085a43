import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { select, toggle } from '../../../kit/form/choice-fields.tsx';
import { type Body, bodyIn, rowsIn } from '../../../kit/form/field.ts';
import { Fields, useFields } from '../../../kit/form/fields.tsx';
import { FormFailure } from '../../../kit/form/form-failure.tsx';
import { number } from '../../../kit/form/number-field.tsx';
import { radios } from '../../../kit/form/radio-field.tsx';
import { text } from '../../../kit/form/text-fields.tsx';
import { timeZone } from '../../../kit/form/time-zone-field.tsx';
import { ownTimeZone } from '../../../kit/form/time-zones.ts';
import { type Connector, loadConnector, type Schedule } from './connector.ts';
import { scheduleWords } from './schedule.ts';

const FIELDS = {
  how: radios({
    label: t`Syncs`,
    data: [
      { value: 'every', label: t`Regularly` },
      { value: 'cron', label: t`At set times` },
      { value: 'never', label: t`Only by hand` },
    ],
    initial: 'never',
    inline: true,
  }),
  every: number({ label: t`Every`, initial: 1, required: true, w: 120 }),
  unit: select({
    label: t`Unit`,
    data: [
      { value: 'minutes', label: t`minutes` },
      { value: 'hours', label: t`hours` },
    ],
    initial: 'hours',
    w: 120,
  }),
  cron: text({
    label: t`Cron expression`,
    description: t`Minute, hour, day of month, month and day of week, such as 30 6 * * 1-5.`,
    required: true,
    spellCheck: false,
    autoComplete: 'off',
  }),
  time_zone: timeZone({ label: t`Time zone`, required: true }),
  carries_out_tasks: toggle({
    label: t`Carry out tasks`,
    description: t`Pending tasks of this app start a run that carries them out in the system.`,
  }),
};
type Draft = Body<typeof FIELDS>;

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
  const form = useFields(FIELDS, {
    of: connector,
    read: appId === undefined ? undefined : () => loadConnector(appId),
    from: (of: Connector) => draftOf(of, of === connector ? suggested : undefined),
    rows: (values) => {
      const schedule = scheduleOf(bodyIn(FIELDS, values));
      const { carries_out_tasks } = FIELDS;
      return [
        { label: t`Syncs`, value: schedule, show: scheduleWords(schedule) },
        ...rowsIn({ carries_out_tasks }, values),
      ];
    },
    send: (body, { version }) =>
      props.send({ schedule: scheduleOf(body), carries_out_tasks: body.carries_out_tasks }, version),
    fieldOf: (path) =>
      path.startsWith('schedule.every_minutes') ? 'every' : path.replace(/^schedule\./, ''),
    ...(props.after === undefined ? {} : { after: props.after }),
    ...(props.success === undefined ? {} : { success: props.success }),
  });
  const { submit, pending, failure, values } = form;
  const { how, unit, carries_out_tasks } = values;
  const schedule = scheduleWords(scheduleOf(bodyIn(FIELDS, values)));
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={560}>
        <Fields of={form} only={['how']} />
        {how === 'every' && (
          <Group gap="sm" align="flex-end">
            <Fields
              of={form}
              only={['every', 'unit']}
              props={{
                every: { min: unit === 'hours' ? 1 : 5, max: unit === 'hours' ? 168 : 10_080 },
                unit: { label: undefined, 'aria-label': FIELDS.unit.label },
              }}
            />
          </Group>
        )}
        <Fields
          of={form}
          only={[
            how === 'cron' && 'cron',
            how === 'cron' && 'time_zone',
            connector.tasks.length > 0 && 'carries_out_tasks',
          ]}
        />
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

function draftOf({ schedule: stored, carries_out_tasks }: Connector, suggested?: Schedule) {
  const schedule = stored ?? suggested ?? null;
  const minutes = schedule !== null && 'every_minutes' in schedule ? schedule.every_minutes : 60;
  const inHours = minutes % 60 === 0;
  return {
    how: schedule === null ? 'never' : 'every_minutes' in schedule ? 'every' : 'cron',
    every: inHours ? minutes / 60 : minutes,
    unit: inHours ? 'hours' : 'minutes',
    ...(schedule !== null && 'cron' in schedule
      ? { cron: schedule.cron, time_zone: schedule.time_zone }
      : { cron: '30 6 * * 1-5', time_zone: ownTimeZone() }),
    carries_out_tasks,
  };
}

function scheduleOf({ how, every, unit, cron, time_zone }: Draft): Schedule | null {
  if (how === 'never') return null;
  if (how === 'cron') return { cron, time_zone };
  return { every_minutes: every * (unit === 'hours' ? 60 : 1) };
}
