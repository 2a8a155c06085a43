import { Alert, Button, Group } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, get, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { TextLink } from '../../parts/links.tsx';
import { counted, grouped } from '../../parts/words.ts';
import type { App } from './app.ts';
import classes from './apps.module.css';

const SHOWN = 5;

/** The tasks that exceed the app's daily budget and wait for an administrator (D46). */
export function HeldTasks({ app }: { app: App }) {
  const { manages, readsAll } = useMe();
  const [asking, setAsking] = useState<'confirm' | 'reject'>();
  const path = { app_id: app.external_uuid };
  const held = useQuery({
    ...get('/api/apps/{app_id}/held-tasks/', { path, query: { limit: SHOWN } }),
    enabled: readsAll,
  });
  const confirm = useChange(
    () => ok(api.POST('/api/apps/{app_id}/held-tasks/confirm/', { params: { path }, body: {} })),
    {
      success: 'Tasks confirmed',
      showFailure: false,
    },
  );
  const reject = useChange(
    () => ok(api.POST('/api/apps/{app_id}/held-tasks/reject/', { params: { path }, body: {} })),
    {
      success: 'Tasks rejected',
      showFailure: false,
    },
  );
  const close = () => setAsking(undefined);
  if (held.data === undefined || held.data.count === 0) return null;
  const { count, counts, results } = held.data;
  const losses = [
    counts.accounts.removed > 0 && `remove ${counted(counts.accounts.removed, 'account')}`,
    counts.accounts.suspended > 0 && `suspend ${counted(counts.accounts.suspended, 'account')}`,
    counts.memberships.removed > 0 && `remove ${counted(counts.memberships.removed, 'membership')}`,
  ]
    .filter(Boolean)
    .join(' and ');
  return (
    <Alert
      color="yellow"
      icon={<IconPlayerPause aria-hidden />}
      title={`${counted(count, 'task')} would ${losses}`}
      mb="md"
    >
      This is more than the app may lose in 24 hours. The tasks wait until an administrator confirms them.
      <ul className={classes.heldTasks}>
        {results.map((task) => (
          <li key={task.external_uuid}>
            <TextLink to="/tasks/$taskId" params={{ taskId: task.external_uuid }}>
              {task.app_user.email || 'An account without an email'}
            </TextLink>
          </li>
        ))}
        {count > results.length && <li>{grouped(count - results.length)} more</li>}
      </ul>
      {manages && (
        <Group gap="xs" mt="sm">
          <Button variant="default" onClick={() => setAsking('reject')}>
            Reject tasks
          </Button>
          <Button color="red" onClick={() => setAsking('confirm')}>
            Confirm tasks
          </Button>
        </Group>
      )}
      <Confirm
        opened={asking === 'confirm'}
        close={close}
        title={`Run ${counted(count, 'task')}?`}
        action="Confirm tasks"
        type={grouped(count)}
        act={() => confirm.mutateAsync(undefined)}
      >
        The tasks {losses}. Gatehouse checks first whether each of them is still needed.
      </Confirm>
      <Confirm
        opened={asking === 'reject'}
        close={close}
        title="Cancel the tasks?"
        action="Reject tasks"
        harmless
        act={() => reject.mutateAsync(undefined)}
      >
        The tasks are cancelled, and nothing is removed. The rejection is recorded with your name.
      </Confirm>
    </Alert>
  );
}
