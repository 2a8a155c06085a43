import { Alert, Box, Button, Group } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { TextLink } from '../../parts/links.tsx';
import { TableView } from '../../parts/table-view.tsx';
import { counted, grouped } from '../../parts/words.ts';
import type { App } from './app.ts';
import classes from './apps.module.css';
import type { Session } from './sessions.ts';
import { changeColumns, changeId, usePlan } from './sync-changes.tsx';

interface Props {
  app: App;
  session: Session;
}

/** A removal that exceeds the app's removal guard and waits for an administrator (D24a). */
export function HeldRemoval({ app, session }: Props) {
  const { manages } = useMe();
  const [asking, setAsking] = useState<'approve' | 'reject'>();
  const params = { path: { app_id: app.external_uuid, sync_id: session.sync_id } };
  const { ready, refetch } = useHeldPlan(app, session);
  // Approves exactly the list that is shown. If it has changed, the server refuses, and the list is read again.
  const approve = useChange(
    async () => {
      const body = typeof ready?.plan === 'string' ? { plan: ready.plan } : {};
      try {
        return await ok(api.POST('/api/apps/{app_id}/syncs/{sync_id}/approve/', { params, body }));
      } catch (error) {
        void refetch();
        throw error;
      }
    },
    { success: 'Removal approved', showFailure: false },
  );
  const reject = useChange(() => ok(api.POST('/api/apps/{app_id}/syncs/{sync_id}/reject/', { params })), {
    success: 'Removal rejected',
    showFailure: false,
  });
  const close = () => setAsking(undefined);
  if (session.held === undefined) return null;
  const { accounts, memberships } = session.held;
  const removed = [
    accounts > 0 && counted(accounts, 'account'),
    memberships > 0 && counted(memberships, 'membership'),
  ]
    .filter(Boolean)
    .join(' and ');
  return (
    <Alert
      color="yellow"
      icon={<IconPlayerPause aria-hidden />}
      title={`This sync would remove ${removed}`}
      mb="md"
    >
      The app's removal guard holds removals of this size until an administrator approves them. All pushed
      records are published. Nothing has been removed.
      <HeldChanges app={app} session={session} />
      {manages && (
        <Group gap="xs" mt="sm">
          <Button variant="default" onClick={() => setAsking('reject')}>
            Reject removal
          </Button>
          <Button color="red" onClick={() => setAsking('approve')}>
            Approve removal
          </Button>
        </Group>
      )}
      <Confirm
        opened={asking === 'approve'}
        close={close}
        title={`Remove ${removed}?`}
        action="Approve removal"
        type={grouped(accounts + memberships)}
        act={() => approve.mutateAsync(undefined)}
      >
        The connector of {app.name} did not push these records, so Gatehouse removes them. A later sync that
        pushes them again restores them.
      </Confirm>
      <Confirm
        opened={asking === 'reject'}
        close={close}
        title="Remove nothing?"
        action="Reject removal"
        harmless
        act={() => reject.mutateAsync(undefined)}
      >
        {removed} stay in Gatehouse, although the connector of {app.name} did not push them. The sync ends,
        and the rejection is recorded with your name. A later sync that does not push these records either
        asks again.
      </Confirm>
    </Alert>
  );
}

const SHOWN = 10;
/** The accounts come first in the list. */
const useHeldPlan = (app: App, session: Session) =>
  usePlan(app, session.sync_id, { limit: SHOWN, applied: false });

/** The first records that approving the removal would take, with their people. */
function HeldChanges({ app, session }: Props) {
  const { ready } = useHeldPlan(app, session);
  if (ready === undefined) return null;
  return (
    <Box my="sm">
      <div className={classes.inAlert}>
        <TableView
          label="Records that approving removes"
          columns={changeColumns}
          rows={ready.results}
          rowId={changeId}
          empty="Approving removes nothing."
        />
      </div>
      <TextLink
        to="/apps/$appId"
        params={{ appId: app.external_uuid }}
        search={{ tab: 'syncs', sync: session.sync_id }}
      >
        {ready.count > SHOWN
          ? `Show all ${counted(ready.count, 'removal')} and the changes of this sync`
          : 'Show all changes of this sync'}
      </TextLink>
    </Box>
  );
}
