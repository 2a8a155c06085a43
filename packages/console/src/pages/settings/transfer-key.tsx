import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal, Text } from '@mantine/core';
import { api, ok } from '../../api/client.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { PersonName } from '../../people/person.tsx';
import { person } from '../../people/person-fields.tsx';

interface Props {
  id: string;
  /** The person for whom the key acts now, if known. */
  user: string | undefined;
  close: () => void;
}

const FIELDS = { user: person({ label: t`Person`, required: true }) };

/** Transfers an API key to another person. */
export function TransferKey({ id, user, close }: Props) {
  const form = useFields(FIELDS, {
    validate: { user: (chosen) => (chosen === null ? t`Select a person.` : null) },
    send: ({ user: to }) =>
      ok(
        api.POST('/api/api-keys/{key_id}/transfer/', {
          params: { path: { key_id: id } },
          body: { user: to ?? '' },
        }),
      ),
    success: ({ name }) => t`${name} was transferred`,
    after: close,
  });
  return (
    <Modal opened onClose={close} title={t`Transfer API key`}>
      <DialogForm {...form} close={close} action={t`Transfer key`}>
        <Text size="sm">
          {t`The key itself stays the same. From now on it acts for the person you select, with that person's rights, and stops working when they are deactivated.`}
        </Text>
        {user !== undefined && (
          <Text size="sm" c="dimmed">
            <Trans>
              It acts for <PersonName id={user} /> now.
            </Trans>
          </Text>
        )}
        <Fields of={form} />
      </DialogForm>
    </Modal>
  );
}
