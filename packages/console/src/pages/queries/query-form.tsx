import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { api, load, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { select, toggle } from '../../kit/form/choice-fields.tsx';
import { Fields, FieldsRow, useFields } from '../../kit/form/fields.tsx';
import { number } from '../../kit/form/number-field.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { weekdayNames } from '../../kit/text/weekdays.ts';
import { people } from '../../people/person-fields.tsx';
import type { Query, SavedQuery } from './query.ts';
import { EVERY } from './words.ts';

interface Props {
  of?: SavedQuery | undefined;
  query: Query;
  after: (saved: SavedQuery) => void;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

const FIELDS = {
  name: text({ label: t`Name`, required: true, maxLength: 255, 'data-autofocus': true }),
  shared: toggle({
    label: t`Shared`,
    description: t`All owners, administrators and auditors see it.`,
  }),
  every: select({
    label: t`Schedule`,
    description: t`Recipients get an email with the number of results and a link to them, also as CSV. Times are in the time zone of the organization.`,
    data: [
      { value: 'never', label: t`Not scheduled` },
      ...Object.entries(EVERY).map(([value, label]) => ({ value, label })),
    ],
    initial: 'never',
  }),
  hour: select({
    label: t`Hour`,
    data: HOURS,
    initial: '8',
  }),
  weekday: select({
    label: t`Weekday`,
    data: weekdayNames().map((label, index) => ({ value: String(index + 1), label })),
    initial: '1',
  }),
  day: number({
    label: t`Day of the month`,
    description: t`In shorter months, the query runs on the last day.`,
    initial: 1,
    min: 1,
    max: 31,
  }),
  recipients: people({
    label: t`Recipients`,
    description: t`Active owners, administrators and auditors.`,
    roles: ['owner', 'admin', 'auditor'],
    required: true,
  }),
};

/** Saves a query under a name, shared and scheduled if wanted. */
export function QueryForm({ of, query, after }: Props) {
  const form = useFields(FIELDS, {
    of,
    read: () => load('/api/queries/{query_id}/', { path: { query_id: of?.external_uuid ?? '' } }),
    from: ({ name, shared, schedule }: SavedQuery) => ({
      ...{ name, shared, every: schedule?.every, day: schedule?.day },
      ...(schedule !== null && { hour: String(schedule.hour), weekday: String(schedule.weekday ?? 1) }),
      recipients: schedule?.recipients.map(({ external_uuid }) => external_uuid),
    }),
    send: ({ name, shared, every, hour, weekday, day, recipients }, { version }) => {
      const schedule =
        every === 'never'
          ? null
          : {
              every: every as keyof typeof EVERY,
              ...{ hour: Number(hour), recipients },
              ...(every === 'weekly' && { weekday: Number(weekday) }),
              ...(every === 'monthly' && { day }),
            };
      const body = { name, shared, schedule };
      return of === undefined
        ? ok(api.POST('/api/queries/', { body: { ...body, query: query as never } }))
        : ok(
            api.PATCH('/api/queries/{query_id}/', {
              params: { path: { query_id: of.external_uuid }, header: ifMatch(version) },
              body,
            }),
          );
    },
    fieldOf: (path) => path.replace('schedule.', ''),
    success: t`Query saved`,
    after,
  });
  const { every } = form.values;
  const isScheduled = every !== 'never';
  return (
    <DialogForm {...form} action={t`Save`}>
      {of?.stopped != null && (
        <Alert color="yellow" title={t`Gatehouse stopped the schedule`}>
          {t`Choose a schedule to start it again.`}
        </Alert>
      )}
      <Fields of={form} only={['name', 'shared', 'every']} />
      {isScheduled && every === 'daily' && <Fields of={form} only={['hour']} />}
      {every === 'weekly' && <FieldsRow of={form} only={['weekday', 'hour']} />}
      {every === 'monthly' && <FieldsRow of={form} only={['day', 'hour']} />}
      {isScheduled && <Fields of={form} only={['recipients']} />}
    </DialogForm>
  );
}
