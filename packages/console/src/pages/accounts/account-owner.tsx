import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { offerUndo } from '../../kit/controls/undo.tsx';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { personName } from '../../kit/text/words.ts';
import { PersonPicker } from '../../people/person.tsx';
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
  const ownerName =
    owner === null ? null : readsAll ? (
      <TextLink to="/people/$userId" params={{ userId: owner.external_uuid }}>
        {personName(owner)}
      </TextLink>
    ) : (
      <span>{personName(owner)}</span>
    );
  return (
    <Group gap="xs">
      <span>{KINDS[kind]}</span>
      {kind !== 'person' &&
        (owner === null ? (
          <Status of="warn" word={t`No owner`} />
        ) : (
          <span>
            {owner_confirmed ? (
              <Trans>owned by {ownerName}</Trans>
            ) : (
              <Trans>owned by {ownerName}, named by the app</Trans>
            )}
          </span>
        ))}
      {owner_email != null && owner_email.toLowerCase() !== owner?.email.toLowerCase() && (
        <Text size="sm" c="dimmed">
          <Trans>The app names {owner_email} as the owner.</Trans>
        </Text>
      )}
      {!owner_confirmed && <Status of="warn" word={t`Not confirmed`} />}
      {owner?.status === 'deactivated' && <Status of="warn" word={t`The owner has left`} />}
      {manages && (
        <>
          <Button size="compact-xs" variant="default" onClick={() => set('owner')}>
            {owner_confirmed ? t`Change` : t`Confirm or change`}
          </Button>
          <Modal
            opened={ask === 'owner'}
            onClose={close}
            title={t`Owner of ${{ account: accountName(account) }}`}
          >
            <OwnerForm account={account} close={close} />
          </Modal>
        </>
      )}
    </Group>
  );
}

const changeOwner = (account: Account, { kind, owner }: { kind: Kind; owner: string | null }) =>
  ok(
    api.PATCH('/api/accounts/{account_id}/', {
      params: { path: { account_id: account.external_uuid } },
      body: kind === 'person' ? { kind } : { kind, owner },
    }),
  );

function OwnerForm({ account, close }: { account: Account; close: () => void }) {
  const client = useQueryClient();
  const before = {
    kind: account.kind ?? ('person' as Kind),
    owner: account.owner?.external_uuid ?? null,
  };
  const { form, submit, pending, failure } = useApiForm({
    initialValues: before,
    send: (values) => changeOwner(account, values),
    after: () => {
      offerUndo({
        message: t`Account saved`,
        // A confirmation cannot be taken back.
        undo:
          account.owner_confirmed === false
            ? undefined
            : () => changeOwner(account, before).then(() => client.invalidateQueries()),
      });
      close();
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label={t`Kind`}
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
        {form.values.kind !== 'person' && (
          <>
            <PersonPicker label={t`Owner`} {...picker(form.getInputProps('owner'))} />
            <Text size="sm" c="dimmed">
              <Trans>
                The owner is responsible for the account. Syncs do not change the kind or the owner.
              </Trans>
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
            {form.isDirty() || account.owner_confirmed !== false ? t`Save` : t`Confirm`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
