import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AGES, agoInput } from '../../history/as-of.tsx';
import { localInput, localTime, zonedTime, zoneWords } from '../../kit/text/words.ts';
import classes from './restore.module.css';
import type { RestoreSearch } from './search.ts';

interface Props {
  at: RestoreSearch;
  show: (asOf: string, possible: boolean) => void;
  /** Called when a field changes, because a plan that is shown no longer belongs to the fields. */
  forget: () => void;
  pending: boolean;
}

/** Selects the time, and whether access that is only possible comes back. For a sync, the time is fixed. */
export function RestoreForm({ at, show, forget, pending }: Props) {
  const [typed, setTyped] = useState(at.as_of === undefined ? agoInput(1) : localInput(at.as_of));
  const [possible, setPossible] = useState(at.possible ?? false);
  // An unchanged time keeps its seconds.
  const asOf =
    at.as_of !== undefined && typed === localInput(at.as_of)
      ? at.as_of
      : typed === ''
        ? undefined
        : new Date(typed).toISOString();
  const isFuture = asOf !== undefined && Date.parse(asOf) > Date.now();
  const isOfSync = at.sync !== undefined && at.as_of !== undefined;
  const began = new Date(at.as_of ?? 0);
  const start = localTime(began);
  const set = (time: string) => {
    setTyped(time);
    forget();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asOf !== undefined && !isFuture) show(asOf, possible);
  };
  return (
    <form onSubmit={submit} className={classes.form} aria-label={t`Restore access`}>
      <Stack gap="sm">
        {isOfSync ? (
          <Text size="sm">
            <Trans>
              Access just before the sync started, on{' '}
              <time dateTime={at.as_of} title={zonedTime(began)}>
                {start}
              </time>
              .
            </Trans>
          </Text>
        ) : (
          <>
            <TextInput
              type="datetime-local"
              label={t`Restore access as of`}
              description={zoneWords()}
              className={classes.time}
              value={typed}
              onChange={({ currentTarget }) => set(currentTarget.value)}
              error={isFuture && t`Enter a time in the past.`}
              required
            />
            <Group gap={4}>
              {AGES.map(([words, days]) => (
                <Button key={days} variant="default" size="compact-xs" onClick={() => set(agoInput(days))}>
                  {words}
                </Button>
              ))}
            </Group>
          </>
        )}
        <Switch
          label={t`Include access that is only possible`}
          description={
            isOfSync
              ? t`Access that the sync before saw and this one did not is only possible at that time.`
              : t`Between two syncs, access is only possible if not both of them saw it.`
          }
          checked={possible}
          onChange={({ currentTarget }) => {
            setPossible(currentTarget.checked);
            forget();
          }}
        />
        <Group>
          <Button type="submit" variant="default" loading={pending}>
            {t`Show plan`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
