import { Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import { type SubmitEvent, useState } from 'react';
import { useMe } from '../../api/me.ts';
import { PersonPicker } from '../../parts/person.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';
import { Save, useAppChange } from './app-change.tsx';
import { AppDanger } from './app-danger.tsx';
import classes from './app-settings.module.css';
import { ApprovalRoute } from './approval-route.tsx';

export function AppSettings({ app }: { app: App }) {
  const { manages } = useMe();
  return (
    <fieldset className={classes.settings} disabled={!manages}>
      <legend className={classes.legend}>Settings of {app.name}</legend>
      <NameAndOwner app={app} />
      <ApprovalRoute app={app} />
      <RemovalGuard app={app} />
      {manages && <AppDanger app={app} />}
    </fieldset>
  );
}

function NameAndOwner({ app }: { app: App }) {
  const [name, setName] = useState(app.name);
  const [owner, setOwner] = useState(app.owner);
  const change = useAppChange(app);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({ name: name.trim(), owner });
  };
  return (
    <Section title="Name and owner">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={255}
          />
          <PersonPicker
            label="Owner"
            description="Decides about requests and reviews of this app, unless its route says otherwise."
            value={owner}
            set={setOwner}
          />
          <Save pending={change.isPending} />
        </Stack>
      </form>
    </Section>
  );
}

function RemovalGuard({ app }: { app: App }) {
  const [on, setOn] = useState(app.removal_guard !== null);
  const [percent, setPercent] = useState<number | string>(app.removal_guard?.percent ?? 30);
  const [least, setLeast] = useState<number | string>(app.removal_guard?.at_least ?? 100);
  const change = useAppChange(app);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({ removal_guard: on ? { percent: Number(percent), at_least: Number(least) } : null });
  };
  return (
    <Section title="Removal guard">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            A sync that would remove more than this waits for an administrator.
          </Text>
          <Switch
            label="Hold large removals"
            checked={on}
            onChange={({ currentTarget }) => setOn(currentTarget.checked)}
          />
          {on && (
            <Group gap="sm">
              <NumberInput
                label="More than, in percent"
                value={percent}
                onChange={setPercent}
                min={1}
                max={100}
                required
                w={200}
              />
              <NumberInput
                label="And at least, in number"
                value={least}
                onChange={setLeast}
                min={1}
                allowDecimal={false}
                required
                w={200}
              />
            </Group>
          )}
          <Save pending={change.isPending} />
        </Stack>
      </form>
    </Section>
  );
}
