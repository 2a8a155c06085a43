import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { PersonName, PersonPicker } from '../../parts/person.tsx';
import { type Account, accountName } from './account.ts';
import type { accountSearch } from './search.ts';

type Ask = ReturnType<typeof accountSearch>['ask'];

interface Props {
  account: Account;
  ask: Ask;
  set: (ask: Ask) => void;
}

/** Whose account it is; administrators link it by hand, and that stays (governance.md "People"). */
export function LinkedPerson({ account, ask, set }: Props) {
  const { manages } = useMe();
  const { external_uuid, user } = account;
  const close = () => set(undefined);
  const link = useChange(
    (person: string | null) =>
      ok(
        api.PATCH('/api/accounts/{account_id}/', {
          params: { path: { account_id: external_uuid } },
          body: { user: person },
        }),
      ),
    {
      tell: false,
      said: ({ user: now }) => (now === null ? 'The account is nobody’s now.' : 'The account is linked.'),
      after: close,
    },
  );
  return (
    <Group gap="xs">
      <PersonName id={user} />
      {manages && (
        <>
          <Button size="compact-xs" variant="default" onClick={() => set('link')}>
            {user === null ? 'Link to a person' : 'Link to another'}
          </Button>
          {user !== null && (
            <Button size="compact-xs" variant="default" onClick={() => set('unlink')}>
              Unlink
            </Button>
          )}
          <Modal opened={ask === 'link'} onClose={close} title={`Whose is ${accountName(account)}?`}>
            <LinkForm current={user} link={link} />
          </Modal>
          <Confirm
            opened={ask === 'unlink'}
            close={close}
            title={`Unlink ${accountName(account)}?`}
            action="Unlink"
            harmless
            act={() => link.mutateAsync(null)}
          >
            The account stays as it is, and counts as nobody’s. It is not linked by its email again.
          </Confirm>
        </>
      )}
    </Group>
  );
}

interface FormProps {
  current: string | null;
  link: { mutate: (person: string | null) => void; isPending: boolean; isError: boolean; error: unknown };
}

function LinkForm({ current, link }: FormProps) {
  const [person, choose] = useState<string | null>(current);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    link.mutate(person);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PersonPicker label="Person" value={person} set={choose} required />
        {link.isError && (
          <Alert color="red" role="alert">
            {detailOf(link.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={link.isPending} disabled={person === null || person === current}>
            Link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
