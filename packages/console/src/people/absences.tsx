import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, get, type Item, ok } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { ActionButton, IN_ROW } from '../kit/action/action-button.tsx';
import { Dialog } from '../kit/controls/dialog.tsx';
import { DialogForm } from '../kit/controls/dialog-form.tsx';
import { Failure } from '../kit/controls/failure.tsx';
import { Section } from '../kit/controls/section.tsx';
import { select } from '../kit/form/choice-fields.tsx';
import { type Body, changesIn, orNull, type Stored } from '../kit/form/field.ts';
import { Fields, useFields } from '../kit/form/fields.tsx';
import { optionsOf } from '../kit/form/form-options.ts';
import { text } from '../kit/form/text-fields.tsx';
import { IconPlus } from '../kit/icons/icons.ts';
import * as column from '../kit/table/columns.tsx';
import { type Column, TableView } from '../kit/table/table-view.tsx';
import { localInput } from '../kit/text/words.ts';
import { person } from './person-fields.tsx';

type Absence = Item<'/api/users/{user_id}/absences/'>;

interface Props {
  userId: string;
  /** Whether the user may set and remove absences. */
  changes: boolean;
}

const hasEnded = ({ ends_at }: Absence) => ends_at !== null && new Date(ends_at) <= new Date();

const KINDS: Record<Absence['kind'], string> = { away: t`Away`, leave: t`Leave` };

/** Names an absence on its buttons. */
const absenceName = ({ kind, deputy }: Absence) =>
  deputy === null ? KINDS[kind] : t`${{ kind: KINDS[kind] }}, with the deputy ${{ email: deputy.email }}`;

/** When a person is away or on leave, and who decides for them. */
export function Absences({ userId, changes }: Props) {
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState<Absence>();
  const absences = useQuery(get('/api/users/{user_id}/absences/', { path: { user_id: userId } }));
  const columns: Column<Absence>[] = [
    column.cell('kind', t`Kind`, ({ kind, reason }) =>
      reason === null ? KINDS[kind] : `${KINDS[kind]}: ${reason}`,
    ),
    column.email('deputy', t`Deputy`, ({ deputy }) => deputy?.email, {
      none: t`None: the next in line decides`,
    }),
    column.moment('starts_at', t`From`),
    column.moment('ends_at', t`Until`, { none: t`No known end` }),
    ...(changes
      ? [
          column.cell('actions', t`Actions`, (absence: Absence) =>
            hasEnded(absence) ? null : (
              <Group gap={6} wrap="nowrap">
                <Edit absence={absence} edit={setEditing} />
                <Remove absence={absence} userId={userId} />
              </Group>
            ),
          ),
        ]
      : []),
  ];
  return (
    <Section
      title={t`Absence`}
      actions={
        changes && (
          <Button
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            <Trans>Set absence</Trans>
          </Button>
        )
      }
    >
      {absences.isError && absences.data === undefined && (
        <Failure error={absences.error} again={() => void absences.refetch()} />
      )}
      {absences.data !== undefined && (
        <TableView
          label={t`Absences`}
          columns={columns}
          rows={absences.data.results}
          empty={t`During an absence or a leave, a deputy decides requests and reviews. A leave suspends nothing.`}
        />
      )}
      {asking && <NewAbsence userId={userId} close={() => setAsking(false)} />}
      {editing !== undefined && (
        <EditAbsence absence={editing} userId={userId} close={() => setEditing(undefined)} />
      )}
    </Section>
  );
}

/** Returns the day of a moment in the user's time zone, as a date field writes it. */
const localDay = (moment: Date) => localInput(moment.toISOString()).slice(0, 10);
const today = () => localDay(new Date());

/** Returns the beginning of a day, or of the day after it, in the user's time zone. */
const beginningOf = (day: string, later = 0) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
};

const dayOf = (moment: string, earlierMs = 0) => localDay(new Date(Date.parse(moment) - earlierMs));

function NewAbsence({ userId, close }: { userId: string; close: () => void }) {
  return (
    <AbsenceForm
      title={t`Set absence`}
      initial={{ starts_at: today() }}
      send={(body) =>
        ok(
          api.POST('/api/users/{user_id}/absences/', {
            params: { path: { user_id: userId } },
            body: { kind: body.kind, ...deputyIn(body), ...daysIn(body), reason: body.reason },
          }),
        )
      }
      close={close}
    />
  );
}

function EditAbsence({ absence, userId, close }: { absence: Absence; userId: string; close: () => void }) {
  const { readsAll } = useMe();
  const { kind, deputy, starts_at, ends_at, reason } = absence;
  const initial = {
    kind,
    deputy: readsAll ? deputy?.external_uuid : null,
    deputy_email: deputy?.email,
    starts_at: dayOf(starts_at),
    // An absence that ends at midnight ends with the day before.
    ends_at: ends_at === null ? '' : dayOf(ends_at, 1),
    reason,
  };
  // The API accepts any time of day. A day that stays keeps its time.
  const send = (body: Draft, changed: Partial<Draft>) => {
    const days = daysIn(body);
    return ok(
      api.PATCH('/api/users/{user_id}/absences/{absence_id}/', {
        params: { path: { user_id: userId, absence_id: absence.external_uuid } },
        body: {
          ...(('deputy' in changed || 'deputy_email' in changed) && deputyIn(body)),
          ...('starts_at' in changed && { starts_at: days.starts_at }),
          ...('ends_at' in changed && { ends_at: days.ends_at }),
          ...('reason' in changed && { reason: body.reason }),
        },
      }),
    );
  };
  return <AbsenceForm title={t`Edit absence`} initial={initial} send={send} close={close} hasKind />;
}

const FIELDS = {
  kind: select({ label: t`Kind`, data: optionsOf(KINDS), initial: 'away' }),
  deputy: person({ label: t`Deputy` }),
  deputy_email: text({ label: t`Deputy's email`, inputMode: 'email' }),
  starts_at: text({ label: t`First day away`, type: 'date', required: true }),
  ends_at: text({ label: t`Last day away`, type: 'date' }),
  reason: orNull(
    text({
      label: t`Reason`,
      description: t`Only the person, owners and administrators see it.`,
      maxLength: 1000,
    }),
  ),
};
type Draft = Body<typeof FIELDS>;

const deputyIn = ({ kind, deputy, deputy_email }: Draft) => {
  if (deputy !== null) return { deputy };
  return kind === 'leave' && deputy_email === '' ? { deputy: null } : { deputy_email };
};

/** Without a last day, a leave has no known end. */
const daysIn = ({ starts_at, ends_at }: Draft) => ({
  starts_at: beginningOf(starts_at),
  ends_at: ends_at === '' ? null : beginningOf(ends_at, 1),
});

interface FormProps {
  title: string;
  initial: Stored<typeof FIELDS>;
  send: (body: Draft, changed: Partial<Draft>) => Promise<unknown>;
  close: () => void;
  /** Whether the absence exists, so that its kind stays. */
  hasKind?: boolean;
}

function AbsenceForm({ title, initial, send, close, hasKind = false }: FormProps) {
  const { readsAll } = useMe();
  const form = useFields(FIELDS, {
    of: initial,
    from: (absence) => absence,
    send: (body, { values, before }) => send(body, changesIn(FIELDS, values, before)),
    success: t`Absence saved`,
    after: close,
  });
  const isLeave = form.values.kind === 'leave';
  const deputy = {
    required: !isLeave,
    description: isLeave
      ? t`Decides requests and reviews in the meantime. Without a deputy, the next in line does.`
      : t`Decides requests and reviews in the meantime.`,
  };
  return (
    <Dialog onClose={close} title={title}>
      <DialogForm {...form} close={close} action={t`Save absence`}>
        <Fields of={form} only={[!hasKind && 'kind']} />
        {isLeave && (
          <Text size="sm">
            <Trans>
              A leave does not end the employment: nothing is suspended, and policies for leavers do nothing.
            </Trans>
          </Text>
        )}
        <Fields
          of={form}
          only={[readsAll ? 'deputy' : 'deputy_email', 'starts_at', 'ends_at', isLeave && 'reason']}
          props={{ deputy, deputy_email: deputy, ends_at: { required: !isLeave } }}
        />
      </DialogForm>
    </Dialog>
  );
}

function Edit({ absence, edit }: { absence: Absence; edit: (absence: Absence) => void }) {
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      aria-label={t`Edit the absence: ${{ absence: absenceName(absence) }}`}
      onClick={() => edit(absence)}
    >
      <Trans>Edit</Trans>
    </Button>
  );
}

function Remove({ absence, userId }: { absence: Absence; userId: string }) {
  const params = { path: { user_id: userId, absence_id: absence.external_uuid } };
  return (
    <ActionButton
      {...IN_ROW}
      label={t`Remove`}
      fullLabel={t`Remove the absence: ${{ absence: absenceName(absence) }}`}
      of={{
        title: t`Remove this absence?`,
        sentence: t`The person decides alone again, and counts as back from a leave.`,
        button: t`Remove absence`,
        danger: true,
        request: () => ok(api.DELETE('/api/users/{user_id}/absences/{absence_id}/', { params })),
        message: t`Absence removed`,
      }}
    />
  );
}
