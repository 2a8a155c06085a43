import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { paths } from '../../api/schema.ts';
import { accountLabel } from '../../history/periods.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import type { App } from './app.ts';
import classes from './revert-sync.module.css';
import type { Session } from './sessions.ts';

const REVERT = '/api/apps/{app_id}/syncs/{sync_id}/revert/';
type Reverted = paths[typeof REVERT]['post']['responses'][200]['content']['application/json'];

interface Props {
  app: App;
  session: Session;
}

/** Returns the inventory to the state before a sync, after showing what that changes. For those who may. */
export function RevertSync({ app, session }: Props) {
  const { manages } = useMe();
  const [opened, setOpened] = useState(false);
  const params = { path: { app_id: app.external_uuid, sync_id: session.sync_id } };
  const dryRun = useMutation({ mutationFn: () => ok(api.POST(REVERT, { params, body: { dry_run: true } })) });
  const revert = useChange((reason: string | null) => ok(api.POST(REVERT, { params, body: { reason } })), {
    showFailure: false,
  });
  const close = () => setOpened(false);
  // The result of a revert stays open.
  if (!manages || (session.reverted_at !== undefined && !opened)) return null;
  const failed = dryRun.error ?? revert.error;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setOpened(true);
          revert.reset();
          dryRun.mutate();
        }}
      >
        <Trans>Revert…</Trans>
      </Button>
      <Dialog
        opened={opened}
        onClose={close}
        title={revert.data === undefined ? t`Revert this sync?` : t`Sync reverted`}
        size="lg"
      >
        <Stack gap="sm">
          {revert.data !== undefined ? (
            <Result app={app} of={revert.data} close={close} />
          ) : dryRun.data !== undefined ? (
            <Question
              app={app}
              of={dryRun.data}
              failure={failed}
              pending={revert.isPending}
              close={close}
              revert={(reason) => revert.mutate(reason)}
            />
          ) : (
            <>
              <FormFailure of={failed} />
              {failed === null && (
                <Text role="status" size="sm">
                  <Loader size="xs" mr="xs" />
                  <Trans>Computing the changes…</Trans>
                </Text>
              )}
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>
                  <Trans>Go back</Trans>
                </Button>
              </Group>
            </>
          )}
        </Stack>
      </Dialog>
    </>
  );
}

interface QuestionProps {
  app: App;
  of: Reverted;
  failure: Error | null;
  pending: boolean;
  close: () => void;
  revert: (reason: string | null) => void;
}

function Question({ app, of, failure, pending, close, revert }: QuestionProps) {
  const [reason, setReason] = useState('');
  const { name } = app;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    revert(reason.trim() || null);
  };
  return (
    <DialogForm
      submit={submit}
      close={close}
      action={t`Revert sync`}
      pending={pending}
      danger
      failure={failure}
    >
      <Changes title={t`Changes in Gatehouse:`} of={of} />
      <Text size="sm">
        <Trans>
          Nothing changes in {name} itself, and its next sync remains the truth: if the connector pushes the
          same records again, the changes of this sync return. If access is missing in {name}, restore access
          instead.
        </Trans>
      </Text>
      <Textarea
        label={t`Reason`}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={2000}
        rows={2}
        data-autofocus
      />
    </DialogForm>
  );
}

function Result({ app, of, close }: { app: App; of: Reverted; close: () => void }) {
  const { name } = app;
  return (
    <>
      <Changes title={t`Changed in Gatehouse:`} of={of} />
      <Text size="sm">
        <Trans>The next sync of {name} remains the truth.</Trans>
      </Text>
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          <Trans>Close</Trans>
        </Button>
      </Group>
    </>
  );
}

/** The changes of a revert, and the records that it leaves. */
function Changes({ title, of }: { title: string; of: Reverted }) {
  const { conflicts, later_syncs } = of;
  const lines = linesOf(of);
  const more = conflicts.count - conflicts.results.length;
  return (
    <div role="status" className={classes.changes}>
      {lines.length === 0 ? (
        <Text size="sm">
          <Trans>No record goes back to its state before the sync.</Trans>
        </Text>
      ) : (
        <>
          <Text size="sm">{title}</Text>
          <ul className={classes.lines}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {later_syncs > 0 && (
        <Text size="sm">
          <Plural
            value={later_syncs}
            one="# later sync did not change these records. If several syncs were wrong, revert the newest one first."
            other="# later syncs did not change these records. If several syncs were wrong, revert the newest one first."
          />
        </Text>
      )}
      {conflicts.count > 0 && (
        <>
          <Text size="sm">
            <Plural
              value={conflicts.count}
              one="# record changed after the sync and stays as it is:"
              other="# records changed after the sync and stay as they are:"
            />
          </Text>
          <ul className={`${classes.lines} ${classes.conflicts}`} aria-label={t`Conflicts`}>
            {conflicts.results.map(({ type, account, resource, reason }) => (
              <li key={[type, account.id, resource?.slug, resource?.id].join(' ')}>
                <TextLink to="/accounts/$accountId" params={{ accountId: account.id }}>
                  {accountLabel(account)}
                </TextLink>
                {resource !== null && ` (${resource.name || resource.id})`}: {reason}
              </li>
            ))}
            {more > 0 && (
              <li>
                <Plural value={more} one="# more" other="# more" />
              </li>
            )}
          </ul>
        </>
      )}
    </div>
  );
}

function linesOf({ counts: { accounts, links, memberships, resources, tasks } }: Reverted): string[] {
  const lines = [
    [accounts.removed, plural(accounts.removed, { one: '# account removed', other: '# accounts removed' })],
    [
      accounts.restored,
      plural(accounts.restored, {
        one: '# account back in the state before the sync',
        other: '# accounts back in the state before the sync',
      }),
    ],
    [
      links,
      plural(links, {
        one: '# account back with the former person',
        other: '# accounts back with the former person',
      }),
    ],
    [memberships.added, plural(memberships.added, { one: '# membership back', other: '# memberships back' })],
    [
      memberships.removed,
      plural(memberships.removed, { one: '# membership taken away', other: '# memberships taken away' }),
    ],
    [
      resources,
      plural(resources, {
        one: '# group or license active again',
        other: '# groups and licenses active again',
      }),
    ],
    [tasks, plural(tasks, { one: '# task of a policy canceled', other: '# tasks of policies canceled' })],
  ] as const;
  return lines.flatMap(([count, words]) => (count > 0 ? [words] : []));
}
