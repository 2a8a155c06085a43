import { plural, t } from '@lingui/core/macro';
import { Alert, Box, Group } from '@mantine/core';
import { api, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconPlayerPause } from '../../kit/icons/icons.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { TableView } from '../../kit/table/table-view.tsx';
import { listed } from '../../kit/text/listed.ts';
import { grouped } from '../../kit/text/words.ts';
import type { App } from './app.ts';
import classes from './apps.module.css';
import { syncSearch } from './search.ts';
import type { Session } from './sessions.ts';
import { changeColumns, changeId, usePlan } from './sync-changes.tsx';

interface Props {
  app: App;
  session: Session;
}

/**
 * A removal that waits for an administrator: it exceeds the app's removal guard (D24a), or no account was pushed (D78). With `elsewhere`, the page lists
 * its records itself.
 */
export function HeldRemoval({ app, session, elsewhere = false }: Props & { elsewhere?: boolean }) {
  const { manages } = useMe();
  const params = { path: { app_id: app.external_uuid, sync_id: session.sync_id } };
  const { ready, refetch } = useHeldPlan(app, session);
  // Approves exactly the list that is shown. If it has changed, the server refuses, and the list is read again.
  const approve = async () => {
    const body = typeof ready?.plan === 'string' ? { plan: ready.plan } : {};
    try {
      return await ok(api.POST('/api/apps/{app_id}/syncs/{sync_id}/approve/', { params, body }));
    } catch (error) {
      void refetch();
      throw error;
    }
  };
  if (session.held === undefined) return null;
  const { accounts, memberships, reason } = session.held;
  // For example "2 accounts and 1 membership".
  const removed = listed([
    ...(accounts > 0 ? [plural(accounts, { one: '# account', other: '# accounts' })] : []),
    ...(memberships > 0 ? [plural(memberships, { one: '# membership', other: '# memberships' })] : []),
  ]);
  const { name } = app;
  return (
    <Alert
      color="yellow"
      icon={<IconPlayerPause aria-hidden />}
      title={t`This sync would take away ${removed}`}
      mb="md"
    >
      {reason === 'no_accounts'
        ? t`The sync pushed no account. The connector has probably failed to read them. The removal is held until an administrator approves it. All records of the sync are imported. Nothing has been taken away.`
        : t`The app's removal guard holds removals of this size until an administrator approves them. All records of the sync are imported. Nothing has been taken away.`}
      {!elsewhere && <FirstHeld app={app} session={session} />}
      {manages && (
        <Group gap="xs" mt="sm">
          <ActionButton
            variant="default"
            label={t`Reject removal`}
            of={{
              title: t`Remove nothing?`,
              sentence: t`${removed} stay in Gatehouse, although the connector of ${name} did not push them, or pushed them without access. The sync ends, and the rejection is recorded with your name. A later sync of the same records asks again.`,
              button: t`Reject removal`,
              request: () => ok(api.POST('/api/apps/{app_id}/syncs/{sync_id}/reject/', { params })),
              message: t`Rejected`,
            }}
          />
          <ActionButton
            label={t`Approve removal`}
            of={{
              title: t`Take away ${removed}?`,
              sentence: t`The connector of ${name} did not push these records, or pushed the accounts as suspended or inactive. A later sync that pushes them with access restores them.`,
              button: t`Approve removal`,
              type: grouped(accounts + memberships),
              request: approve,
              message: t`Approved`,
            }}
          />
        </Group>
      )}
    </Alert>
  );
}

const SHOWN = 10;
/** The accounts come first in the list. */
const useHeldPlan = (app: App, session: Session) =>
  usePlan(app, session.sync_id, { limit: SHOWN, applied: false });

/** The first records that approving the removal would take, with their people. */
function FirstHeld({ app, session }: Props) {
  const { ready } = useHeldPlan(app, session);
  if (ready === undefined) return null;
  return (
    <Box my="sm">
      <div className={classes.inAlert}>
        <TableView
          label={t`Records that approving removes`}
          columns={changeColumns(app.external_uuid)}
          rows={ready.results}
          rowId={changeId}
          empty={t`Approving removes nothing.`}
        />
      </div>
      <TextLink
        to="/apps/$appId/syncs/$syncId"
        params={{ appId: app.external_uuid, syncId: session.sync_id }}
      >
        {ready.count > SHOWN
          ? plural(ready.count, {
              one: 'Show # removal and the changes of this sync',
              other: 'Show all # removals and the changes of this sync',
            })
          : t`Show all changes of this sync`}
      </TextLink>
    </Box>
  );
}

const PAGE = 25;

/** All records that approving the removal would take, with their people. */
export function HeldRecords({ app, session }: Props) {
  const [at, go] = useAddress(syncSearch);
  const { external_uuid: app_id, name } = app;
  const path = { app_id, sync_id: session.sync_id };
  return (
    <Section title={t`Held removals`}>
      <DataTable
        label={t`Records that approving removes`}
        counted={(n) => plural(n, { one: '# removal', other: '# removals' })}
        list={list('/api/apps/{app_id}/syncs/{sync_id}/plan/', { path, query: { applied: false } })}
        columns={changeColumns(app.external_uuid)}
        rowId={changeId}
        page={at.removals}
        onPage={(removals) => go({ removals, page: at.page })}
        pageSize={PAGE}
        csv={t`held removals of ${name}`}
        empty={t`Approving removes nothing.`}
      />
    </Section>
  );
}
