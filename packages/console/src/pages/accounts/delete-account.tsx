import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { taskCreated } from '../../tasks/tasks-created.ts';
import { DeletionUnderWay, deletionIn, isLater, useRemovals } from '../../tasks/under-way.tsx';
import { type Account, accountName, createTask } from './account.ts';

interface Props {
  account: Account;
  opened: boolean;
  close: () => void;
}

/** Asks before an account is deleted. A deletion that is under way is shown, and one that is planned for later can be done now. */
export function DeleteAccount({ account, opened, close }: Props) {
  const removals = useRemovals(account.external_uuid);
  const name = accountName(account).trim();
  const deletion = removals && deletionIn(removals);
  const title = t`Delete the account of ${name}?`;
  const isUnderWay = deletion !== undefined && !isLater(deletion);
  if (removals === undefined || isUnderWay)
    return (
      <Notice
        opened={opened}
        close={close}
        title={isUnderWay ? t`The account of ${name} is being deleted` : title}
      >
        {deletion === undefined ? <Skeleton height={60} /> : <DeletionUnderWay of={deletion} />}
      </Notice>
    );
  const later = deletion !== undefined;
  const action = {
    title: later ? t`Delete the account of ${name} now?` : title,
    sentence: (
      <>
        <NobodyCarriesOut appId={account.app.external_uuid} />
        {later && (
          <Alert color="blue" variant="light" mb="sm">
            <DeletionUnderWay of={deletion} /> <Trans>A new task replaces it and starts now.</Trans>
          </Alert>
        )}
        <Trans>
          The account loses its groups and licenses and is deleted in {{ app: account.app.name }}. The
          deletion replaces tasks for it that have not started. This cannot be undone.
        </Trans>
      </>
    ),
    button: later ? t`Delete now instead` : t`Delete account`,
    type: name,
    request: () => {
      const options = { reason: null, instead_of: deletion?.task ?? null };
      return createTask(account, 'delete_account', options).then(taskCreated);
    },
    message: (sentence: string) => sentence,
  };
  return <ActionDialog of={opened ? action : undefined} close={close} />;
}

function Notice({
  opened,
  close,
  title,
  children,
}: Pick<Props, 'opened' | 'close'> & { title: string; children: React.ReactNode }) {
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <Stack gap="sm">
        <Text component="div" size="sm">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            <Trans>Close</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
