import { t } from '@lingui/core/macro';
import { Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { IconHistory } from '../kit/icons/icons.ts';
import { localInput, localTime, zoneWords } from '../kit/text/words.ts';
import type { Past } from './past.ts';

interface Props {
  at: Past;
  go: (change: Past) => void;
}

/** Selects the time that a page shows. The page keeps it in its address. */
export function AsOf({ at, go }: Props) {
  const [opened, { close, toggle }] = useDisclosure();
  const { as_of } = at;
  const shown = as_of === undefined ? '' : localTime(new Date(as_of));
  return (
    <Popover
      opened={opened}
      onChange={(open) => {
        if (!open) close();
      }}
      position="bottom-end"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button variant="default" leftSection={<IconHistory size={15} aria-hidden />} onClick={toggle}>
          {as_of === undefined ? t`As of now` : t`As of ${shown}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Time`}>
        <TimeForm
          at={at}
          go={(change) => {
            close();
            go(change);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

const DAY_MS = 86_400_000;
export const AGES = [
  [t`Yesterday`, 1],
  [t`A week ago`, 7],
  [t`A month ago`, 30],
  [t`A year ago`, 365],
] as const;

/** Returns the value of a field for the time this many days ago. */
export const agoInput = (days: number) => localInput(new Date(Date.now() - days * DAY_MS).toISOString());

function TimeForm({ at, go }: Props) {
  const [typed, setTyped] = useState(at.as_of === undefined ? '' : localInput(at.as_of));
  const [known, setKnown] = useState(at.known_at === undefined ? '' : localInput(at.known_at));
  const instantOf = (local: string) => (local === '' ? undefined : new Date(local).toISOString());
  const isFuture = typed !== '' && Date.parse(typed) > Date.now();
  const isEarly = known !== '' && typed !== '' && Date.parse(known) < Date.parse(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isFuture && !isEarly) go({ as_of: instantOf(typed), known_at: instantOf(known), versus: undefined });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          type="datetime-local"
          label={t`Show access as of`}
          description={zoneWords()}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={isFuture && t`Enter a time in the past.`}
          required
          data-autofocus
        />
        <Group gap={4}>
          {AGES.map(([words, days]) => (
            <Button key={days} variant="default" size="compact-xs" onClick={() => setTyped(agoInput(days))}>
              {words}
            </Button>
          ))}
        </Group>
        <TextInput
          type="datetime-local"
          label={t`As known on`}
          description={t`Leave empty to include later corrections.`}
          value={known}
          onChange={({ currentTarget }) => setKnown(currentTarget.value)}
          error={isEarly && t`Enter a time after the first.`}
        />
        <Group justify="flex-end">
          <Button type="submit">{t`Show`}</Button>
        </Group>
      </Stack>
    </form>
  );
}
