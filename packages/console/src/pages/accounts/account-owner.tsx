import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { offerUndo } from '../../kit/controls/undo.tsx';
import { select } from '../../kit/form/choice-fields.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { personName } from '../../kit/text/words.ts';
import { person } from '../../people/person-fields.tsx';
import { type Account, accountName, KINDS } from './account.ts';
import type { accountSearch } from './search.ts';

type Ask = ReturnType<typeof accountSearch>['ask'];
type Kind = NonNullable<Account['kind']>;

/** The kind of an account, and the owner of a service or shared account. */
export function AccountOwner({ account, ask, set }: { account: Account; ask: Ask; set: (ask: Ask) => void }) {
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
          {t`The app names ${owner_email} as the owner.`}
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

const FIELDS = {
  kind: select({ label: t`Kind`, data: optionsOf(KINDS), initial: 'person' }),
  owner: person({ label: t`Owner` }),
};

export function OwnerForm({ account, close }: { account: Account; close: () => void }) {
  const client = useQueryClient();
  const before = { kind: account.kind ?? ('person' as Kind), owner: account.owner?.external_uuid ?? null };
  const form = useFields(FIELDS, {
    of: before,
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
  const saves = form.changed || account.owner_confirmed !== false;
  return (
    <DialogForm
      {...form}
      action={saves ? t`Save` : t`Confirm`}
      disabled={!form.changed && account.owner_confirmed !== false}
    >
      <Fields of={form} only={['kind', form.values.kind !== 'person' && 'owner']} />
      {form.values.kind !== 'person' && (
        <Text size="sm" c="dimmed">
          {t`The owner is responsible for the account. Syncs do not change the kind or the owner.`}
        </Text>
      )}
    </DialogForm>
  );
}
