import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { offerUndo } from '../../kit/controls/undo.tsx';
import { useUndoable } from '../../kit/controls/undoable.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { PersonName } from '../../people/person.tsx';
import { person } from '../../people/person-fields.tsx';
import { type Account, accountName } from './account.ts';
import type { accountSearch } from './search.ts';

type Ask = ReturnType<typeof accountSearch>['ask'];

interface Props {
  account: Account;
  ask: Ask;
  set: (ask: Ask) => void;
}

const linkTo = (account: Account, user: string | null) =>
  ok(
    api.PATCH('/api/accounts/{account_id}/', {
      params: { path: { account_id: account.external_uuid } },
      body: { user },
    }),
  );

/** The person an account belongs to. A link that an administrator sets by hand is never changed automatically. */
export function LinkedPerson({ account, ask, set }: Props) {
  const { manages } = useMe();
  const { user } = account;
  const close = () => set(undefined);
  const unlink = useUndoable(() => linkTo(account, null), {
    done: () => t`Account unlinked. Gatehouse will not link it by its email again.`,
    undo: () => linkTo(account, user),
  });
  return (
    <Group gap="xs">
      <PersonName id={user} />
      {manages && (
        <>
          <Button size="compact-xs" variant="default" onClick={() => set('link')}>
            {user === null ? t`Link person` : t`Link another person`}
          </Button>
          {user !== null && (
            <Button
              size="compact-xs"
              variant="default"
              loading={unlink.isPending}
              onClick={() => unlink.mutate(undefined)}
            >
              <Trans>Unlink person</Trans>
            </Button>
          )}
          <Modal
            opened={ask === 'link'}
            onClose={close}
            title={t`Link ${{ account: accountName(account) }} to a person`}
          >
            <LinkForm account={account} close={close} />
          </Modal>
        </>
      )}
    </Group>
  );
}

const FIELDS = { user: person({ label: t`Person`, required: true }) };

export function LinkForm({ account, close }: { account: Account; close: () => void }) {
  const client = useQueryClient();
  const form = useFields(FIELDS, {
    of: { user: account.user },
    send: ({ user }) => linkTo(account, user),
    after: () => {
      offerUndo({
        message: t`Account linked`,
        undo: () => linkTo(account, account.user).then(() => client.invalidateQueries()),
      });
      close();
    },
  });
  const { user } = form.values;
  return (
    <DialogForm {...form} action={t`Link person`} disabled={user === null || user === account.user}>
      <Fields of={form} />
    </DialogForm>
  );
}
