import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { picker, useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PersonPicker } from '../../parts/person.tsx';
import { Status } from '../../parts/status.tsx';
import { personName } from '../../parts/words.ts';
import { type Account, accountName, KINDS } from './account.ts';
import type { accountSearch } from './search.ts';

type Ask = ReturnType<typeof accountSearch>['ask'];
type Kind = NonNullable<Account['kind']>;

interface Props {
  account: Account;
  ask: Ask;
  set: (ask: Ask) => void;
}

/** The kind of an account, and the owner of a service or shared account. */
export function AccountOwner({ account, ask, set }: Props) {
  const { manages, readsAll } = useMe();
  const { kind = 'person', owner = null, owner_email, owner_confirmed = true } = account;
  const close = () => set(undefined);
  return (
    <Group gap="xs">
      <span>{KINDS[kind]}</span>
      {kind !== 'person' &&
        (owner === null ? (
          <Status of="warn" word="No owner" />
        ) : (
          <span>
            owned by{' '}
            {readsAll ? (
              <TextLink to="/people/$userId" params={{ userId: owner.external_uuid }}>
                {personName(owner)}
              </TextLink>
            ) : (
              personName(owner)
            )}
            {!owner_confirmed && ', named by the app'}
          </span>
        ))}
      {owner_email != null && owner_email.toLowerCase() !== owner?.email.toLowerCase() && (
        <Text size="sm" c="dimmed">
          The app names {owner_email} as the owner.
        </Text>
      )}
      {!owner_confirmed && <Status of="warn" word="Not confirmed" />}
      {owner?.status === 'deactivated' && <Status of="warn" word="The owner has left" />}
      {manages && (
        <>
          <Button size="compact-xs" variant="default" onClick={() => set('owner')}>
            {owner_confirmed ? 'Change' : 'Confirm or change'}
          </Button>
          <Modal opened={ask === 'owner'} onClose={close} title={`Owner of ${accountName(account)}`}>
            <OwnerForm account={account} close={close} />
          </Modal>
        </>
      )}
    </Group>
  );
}

function OwnerForm({ account, close }: { account: Account; close: () => void }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: {
      kind: account.kind ?? ('person' as Kind),
      owner: account.owner?.external_uuid ?? null,
    },
    send: ({ kind, owner }) =>
      ok(
        api.PATCH('/api/accounts/{account_id}/', {
          params: { path: { account_id: account.external_uuid } },
          body: kind === 'person' ? { kind } : { kind, owner },
        }),
      ),
    success: 'Account saved',
    after: close,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label="Kind"
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
        {form.values.kind !== 'person' && (
          <>
            <PersonPicker label="Owner" {...picker(form.getInputProps('owner'))} />
            <Text size="sm" c="dimmed">
              The owner answers for the account. Syncs do not change the kind or the owner.
            </Text>
          </>
        )}
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={pending}
            disabled={!form.isDirty() && account.owner_confirmed !== false}
          >
            {form.isDirty() || account.owner_confirmed !== false ? 'Save' : 'Confirm'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
