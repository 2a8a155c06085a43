import { t } from '@lingui/core/macro';
import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { ActionButton, IN_ROW } from '../../kit/action/action-button.tsx';
import { localInput } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import { type Finding, findingName, sentenceOf } from './finding.ts';

interface Props {
  of: Finding;
}

const DAY_MS = 86_400_000;
const inDays = (days: number) => localInput(new Date(Date.now() + days * DAY_MS).toISOString());

/** The buttons in the row of a finding. */
export function FindingActions({ of }: Props) {
  if (of.status === 'resolved') return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {of.status === 'open' ? <Accept of={of} /> : <Reopen of={of} />}
      <Assign of={of} />
    </Group>
  );
}

const pathOf = ({ external_uuid }: Finding) => ({ path: { finding_id: external_uuid } });

function Accept({ of }: Props) {
  const [until, setUntil] = useState(() => inDays(30));
  const name = findingName(of);
  return (
    <ActionButton
      {...IN_ROW}
      label={t`Accept`}
      fullLabel={t`Accept: ${name}`}
      of={{
        title: t`Accept this finding?`,
        sentence: sentenceOf(of),
        fields: (
          <TextInput
            type="datetime-local"
            label={t`Until`}
            description={t`The finding is open again then.`}
            value={until}
            onChange={({ currentTarget }) => setUntil(currentTarget.value)}
            min={inDays(0)}
            max={inDays(365)}
            required
          />
        ),
        comment: t`Reason`,
        required: true,
        button: t`Accept finding`,
        disabled: until === '',
        request: (reason) =>
          ok(
            api.POST('/api/findings/{finding_id}/accept/', {
              params: pathOf(of),
              body: { until: new Date(until).toISOString(), reason },
            }),
          ),
        message: t`Finding accepted`,
      }}
    />
  );
}

function Reopen({ of }: Props) {
  const name = findingName(of);
  return (
    <ActionButton
      {...IN_ROW}
      label={t`Reopen`}
      fullLabel={t`Reopen: ${name}`}
      of={{
        title: t`Reopen this finding?`,
        sentence: sentenceOf(of),
        button: t`Reopen finding`,
        request: () => ok(api.POST('/api/findings/{finding_id}/reopen/', { params: pathOf(of) })),
        message: t`Finding reopened`,
      }}
    />
  );
}

function Assign({ of }: Props) {
  const [user, setUser] = useState(of.assignee?.external_uuid ?? null);
  const name = findingName(of);
  return (
    <ActionButton
      {...IN_ROW}
      label={t`Assign`}
      fullLabel={t`Assign: ${name}`}
      of={{
        title: t`Assign this finding?`,
        sentence: sentenceOf(of),
        fields: (
          <PersonPicker
            label={t`Assignee`}
            description={t`The person sees the finding from then on.`}
            value={user}
            set={setUser}
          />
        ),
        button: t`Assign finding`,
        request: () =>
          ok(api.POST('/api/findings/{finding_id}/assign/', { params: pathOf(of), body: { user } })),
        message: t`Finding assigned`,
      }}
    />
  );
}
