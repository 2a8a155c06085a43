import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Answer, api, get, ok } from '../../api/client.ts';
import { ActionButton, IN_ROW } from '../../kit/action/action-button.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { serverText } from '../../language/server-text.ts';
import { AddPasskey } from './add-passkey.tsx';

type Passkey = Answer<'/auth/passkeys/'>['results'][number];

/** One's own passkeys: sign-in with a fingerprint, face or PIN on a device. */
export function MyPasskeys() {
  const [adding, setAdding] = useState(false);
  const passkeys = useQuery(get('/auth/passkeys/'));
  const offer = useQuery(get('/auth/')).data?.passkeys;
  const reason = offer?.reason;
  const isPossible = reason === null;
  return (
    <Section
      title={t`Passkeys`}
      actions={
        isPossible && (
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setAdding(true)}>
            {t`Add passkey`}
          </Button>
        )
      }
    >
      {typeof reason === 'string' && (
        <Text size="sm" c="dimmed" mb="xs">
          {serverText({ ...offer, text: reason })}
        </Text>
      )}
      {passkeys.isLoadingError ? (
        <Failure error={passkeys.error} again={() => void passkeys.refetch()} />
      ) : (
        <Passkeys
          passkeys={passkeys.data?.results}
          remove={(passkey_id) =>
            ok(api.DELETE('/auth/passkeys/{passkey_id}/', { params: { path: { passkey_id } } }))
          }
          consequence={t`You can no longer sign in with this passkey. Delete it from your device as well.`}
          empty={
            isPossible && (
              <Empty title={t`No passkeys yet`}>
                {t`Add a passkey to sign in with your device instead of a password.`}
              </Empty>
            )
          }
        />
      )}
      {adding && <AddPasskey close={() => setAdding(false)} />}
    </Section>
  );
}

/** A person's passkeys, for those who may change the person. Shows nothing if there are none. */
export function PersonPasskeys({
  person,
}: {
  person: Parameters<typeof personName>[0] & { external_uuid: string };
}) {
  const { external_uuid: user_id } = person;
  const passkeys = useQuery(get('/api/users/{user_id}/passkeys/', { path: { user_id } })).data?.results;
  if (passkeys === undefined || passkeys.length === 0) return null;
  return (
    <Section title={t`Passkeys`}>
      <Passkeys
        passkeys={passkeys}
        remove={(passkey_id) =>
          ok(
            api.DELETE('/api/users/{user_id}/passkeys/{passkey_id}/', {
              params: { path: { user_id, passkey_id } },
            }),
          )
        }
        consequence={
          <Trans>
            {{ person: personName(person) }} can no longer sign in with this passkey, and all of their
            sessions end.
          </Trans>
        }
        empty={null}
      />
    </Section>
  );
}

interface Props {
  passkeys: Passkey[] | undefined;
  remove: (id: string) => Promise<unknown>;
  consequence: ReactNode;
  empty: ReactNode;
}

function Passkeys({ passkeys, remove, consequence, empty }: Props) {
  const columns: Column<Passkey>[] = [
    column.title('name', t`Name`),
    column.cell('storage', t`Storage`, ({ backed_up }) =>
      backed_up ? t`Synced across devices` : t`One device only`,
    ),
    column.moment('created_at', t`Added`),
    column.cell('remove', t`Actions`, ({ id, name }) => (
      <ActionButton
        {...IN_ROW}
        label={t`Remove`}
        fullLabel={t`Remove ${name}`}
        of={{
          title: t`Remove ${name}?`,
          sentence: consequence,
          button: t`Remove passkey`,
          danger: true,
          request: () => remove(id),
          message: t`${name} was removed`,
        }}
      />
    )),
  ];
  return <TableView label={t`Passkeys`} columns={columns} rows={passkeys} empty={empty} />;
}
