import { t } from '@lingui/core/macro';
import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { ActionButton, IN_ROW } from '../../kit/action/action-button.tsx';
import { localInput } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import { type Finding, findingName, sentenceOf } from './finding.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => localInput(new Date(Date.now() + days * DAY_MS).toISOString());

/** The buttons in the row of a finding. */
export function FindingActions({ of }: { of: Finding }) {
  const [until, setUntil] = useState(() => inDays(30));
  const [chosen, choose] = useState<string | null>();
  const user = chosen === undefined ? (of.assignee?.external_uuid ?? null) : chosen;
  if (of.status === 'resolved') return null;
  const params = { path: { finding_id: of.external_uuid } };
  const [name, sentence] = [findingName(of), sentenceOf(of)];
  const accept = {
    title: t`Accept this finding?`,
    sentence,
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
    request: (reason: string) => {
      const body = { until: new Date(until).toISOString(), reason };
      return ok(api.POST('/api/findings/{finding_id}/accept/', { params, body }));
    },
    message: t`Finding accepted`,
  };
  const reopen = {
    title: t`Reopen this finding?`,
    sentence,
    button: t`Reopen finding`,
    request: () => ok(api.POST('/api/findings/{finding_id}/reopen/', { params })),
    message: t`Finding reopened`,
  };
  const assign = {
    title: t`Assign this finding?`,
    sentence,
    fields: (
      <PersonPicker
        label={t`Assignee`}
        description={t`The person sees the finding from then on.`}
        value={user}
        set={choose}
      />
    ),
    button: t`Assign finding`,
    request: () => ok(api.POST('/api/findings/{finding_id}/assign/', { params, body: { user } })),
    message: t`Finding assigned`,
  };
  return (
    <Group gap={0}>
      {of.status === 'open' ? (
        <ActionButton {...IN_ROW} label={t`Accept`} fullLabel={t`Accept: ${name}`} of={accept} />
      ) : (
        <ActionButton {...IN_ROW} label={t`Reopen`} fullLabel={t`Reopen: ${name}`} of={reopen} />
      )}
      <ActionButton {...IN_ROW} label={t`Assign`} fullLabel={t`Assign: ${name}`} of={assign} />
    </Group>
  );
}
