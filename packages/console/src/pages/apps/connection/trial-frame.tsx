import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from '../../../kit/controls/moment.tsx';
import { RunStatus } from './run-status.tsx';
import type { useTrial } from './trial.ts';

interface Props {
  trial: ReturnType<typeof useTrial>;
  first: string;
  again: string;
  /** The title of an error. */
  failed: string;
  children: ReactNode;
}

/** A button that starts a test or a preview, the state of the newest one, its error, and below them its result. */
export function TrialFrame({ trial, first, again, failed, children }: Props) {
  const { run, newest, busy, isLoading, start } = trial;
  return (
    <div aria-live="polite">
      <Group gap="sm" mb="sm">
        <Button variant="default" onClick={start} loading={busy} disabled={isLoading}>
          {newest === undefined ? first : again}
        </Button>
        {newest !== undefined && <RunStatus of={run ?? newest} />}
        {newest !== undefined && (
          <Text size="sm" c="dimmed">
            <Moment at={newest.queued_at} />
          </Text>
        )}
      </Group>
      {run?.error && (
        <Alert color="red" role="alert" mb="sm" title={failed}>
          {run.error}
        </Alert>
      )}
      {children}
    </div>
  );
}
