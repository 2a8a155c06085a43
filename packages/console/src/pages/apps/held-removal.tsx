import { Alert, Button, Group } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { counted, grouped } from '../../parts/words.ts';
import type { App } from './app.ts';
import type { Session } from './sessions.ts';

interface Props {
  app: App;
  session: Session;
}

/** A session that would remove so much that a person has to say so (D24a). */
export function HeldRemoval({ app, session }: Props) {
  const { manages } = useMe();
  const [asking, setAsking] = useState(false);
  const params = { path: { app_id: app.external_uuid, sync_id: session.sync_id } };
  const approve = useChange(() => ok(api.POST('/api/apps/{app_id}/syncs/{sync_id}/approve/', { params })), {
    said: 'The removal goes on',
    tell: false,
  });
  const reject = useChange(() => ok(api.POST('/api/apps/{app_id}/syncs/{sync_id}/reject/', { params })), {
    said: 'Nothing was removed',
  });
  if (session.held === undefined) return null;
  const { accounts, memberships } = session.held;
  const what = [
    accounts > 0 && counted(accounts, 'account'),
    memberships > 0 && counted(memberships, 'membership'),
  ]
    .filter(Boolean)
    .join(' and ');
  return (
    <Alert
      color="yellow"
      icon={<IconPlayerPause aria-hidden />}
      title={`This sync would remove ${what}`}
      mb="md"
    >
      That is more than the removal guard of this app lets pass. What was pushed is in already; nothing has
      been removed. It waits for an administrator.
      {manages && (
        <Group gap="xs" mt="sm">
          <Button variant="default" loading={reject.isPending} onClick={() => reject.mutate(undefined)}>
            Remove nothing
          </Button>
          <Button color="red" onClick={() => setAsking(true)}>
            Remove them
          </Button>
        </Group>
      )}
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove ${what}?`}
        action="Remove"
        type={grouped(accounts + memberships)}
        act={() => approve.mutateAsync(undefined)}
      >
        They become inactive here, as they are no longer in what the connector of {app.name} sees. A later
        sync that sees them brings them back.
      </Confirm>
    </Alert>
  );
}
