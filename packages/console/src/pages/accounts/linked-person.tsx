import { Button, Group, Modal, Stack } from '@mantine/core';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { picker, useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import { PersonName, PersonPicker } from '../../parts/person.tsx';
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
  const unlink = useChange(() => linkTo(account, null), {
    showFailure: false,
    success: 'Account unlinked',
    after: close,
  });
  return (
    <Group gap="xs">
      <PersonName id={user} none="Not linked" />
      {manages && (
        <>
          <Button size="compact-xs" variant="default" onClick={() => set('link')}>
            {user === null ? 'Link person' : 'Link another person'}
          </Button>
          {user !== null && (
            <Button size="compact-xs" variant="default" onClick={() => set('unlink')}>
              Unlink person
            </Button>
          )}
          <Modal opened={ask === 'link'} onClose={close} title={`Link ${accountName(account)} to a person`}>
            <LinkForm account={account} close={close} />
          </Modal>
          <Confirm
            opened={ask === 'unlink'}
            close={close}
            title={`Unlink ${accountName(account)}?`}
            action="Unlink account"
            harmless
            act={() => unlink.mutateAsync(undefined)}
          >
            The account becomes orphaned. Gatehouse will not link it by its email again.
          </Confirm>
        </>
      )}
    </Group>
  );
}

function LinkForm({ account, close }: { account: Account; close: () => void }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { user: account.user },
    send: ({ user }) => linkTo(account, user),
    success: 'Account linked',
    after: close,
  });
  const { user } = form.values;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PersonPicker label="Person" {...picker(form.getInputProps('user'))} required />
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending} disabled={user === null || user === account.user}>
            Link person
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
