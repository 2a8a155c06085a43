import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { held, resources } from '../../access/access-fields.tsx';
import { changesOf, chosenOf } from '../../access/chosen.ts';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { taskReason } from '../../tasks/task-reason.ts';
import { taskCreated } from '../../tasks/tasks-created.ts';
import { type Account, createTask } from './account.ts';

interface Props {
  account: Account;
  close: () => void;
}

const FIELDS = {
  added: resources({ label: t`Grant` }),
  removed: held({ label: t`Revoke` }),
  reason: taskReason,
};

function ChangeForm({ account, close }: Props) {
  const { external_uuid: appId } = account.app;
  const has = chosenOf(account);
  const form = useFields(FIELDS, {
    send: ({ added, removed, reason }) =>
      createTask(account, 'update_account', { changes: changesOf(added, removed), reason }).then(taskCreated),
    // The API groups changes by resource type: "changes.role.added.0".
    fieldOf: (path) => /^changes\..*\.(added|removed)\b/.exec(path)?.[1] ?? path,
    success: (message) => message,
    after: close,
  });
  const { added, removed } = form.values;
  return (
    <DialogForm
      {...form}
      close={close}
      action={t`Create task`}
      disabled={added.length + removed.length === 0}
    >
      <NobodyCarriesOut appId={appId} />
      <Fields
        of={form}
        only={['added', has.length > 0 && 'removed', 'reason']}
        props={{ added: { appId, held: has }, removed: { held: has } }}
      />
    </DialogForm>
  );
}

/** Grants groups and licenses to an account and revokes others, in one task. */
export function ChangeAccess({ opened, ...form }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={form.close} title={t`Change access`} size="lg">
      <ChangeForm {...form} />
    </Modal>
  );
}
