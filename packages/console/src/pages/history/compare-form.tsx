import { t } from '@lingui/core/macro';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AppPicker } from '../../apps/app-picker.tsx';
import { localInput, zoneWords } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
import classes from './compare.module.css';
import type { CompareSearch } from './search.ts';

interface Props {
  at: CompareSearch & { from: string; to: string };
  go: (change: CompareSearch) => void;
}

/** An unchanged time keeps its seconds. */
const instantOf = (typed: string, before: string) =>
  localInput(before) === typed ? before : new Date(typed).toISOString();

/** Selects an app or a person, and the two times. */
export function CompareForm({ at, go }: Props) {
  const [app, setApp] = useState(at.app ?? null);
  const [user, setUser] = useState(at.user ?? null);
  const [from, setFrom] = useState(localInput(at.from));
  const [to, setTo] = useState(localInput(at.to));
  const isReversed = from !== '' && to !== '' && Date.parse(from) >= Date.parse(to);
  const isReady = (app !== null || user !== null) && from !== '' && to !== '' && !isReversed;
  const keepsApp = app !== null && app === at.app;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    go({
      app: app ?? undefined,
      user: user ?? undefined,
      slug: keepsApp ? at.slug : undefined,
      resource: keepsApp ? at.resource : undefined,
      from: instantOf(from, at.from),
      to: instantOf(to, at.to),
      change: undefined,
    });
  };
  return (
    <form onSubmit={submit} className={classes.form} aria-label={t`Compare`}>
      <div className={classes.fields}>
        <AppPicker
          label={t`App`}
          value={app}
          set={(value) => {
            setApp(value);
            if (value !== null) setUser(null);
          }}
        />
        <PersonPicker
          label={t`Person`}
          value={user}
          set={(value) => {
            setUser(value);
            if (value !== null) setApp(null);
          }}
        />
        <TextInput
          type="datetime-local"
          label={t`From`}
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t`To`}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          error={isReversed && t`Enter a time after the first.`}
        />
      </div>
      <Group mt="sm">
        <Button type="submit" disabled={!isReady}>
          {t`Compare`}
        </Button>
        <Text size="sm" c="dimmed">
          {zoneWords()}
        </Text>
      </Group>
    </form>
  );
}
