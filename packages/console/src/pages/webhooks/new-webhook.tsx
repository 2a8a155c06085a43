import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { Secret } from './secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

const createdTitle = ({ name }: { name: string }) => t`${name} was created`;

/** Creates a webhook, shows its secret, and opens it. */
export function NewWebhookDialog({ close }: { close: () => void }) {
  const [created, setCreated] = useState<{ id: string; name: string; secret: string }>();
  const navigate = useNavigate();
  const isForm = created === undefined;
  return (
    <Modal
      opened
      onClose={close}
      title={isForm ? t`Create webhook` : createdTitle(created)}
      size="lg"
      closeOnClickOutside={isForm}
      closeOnEscape={isForm}
      withCloseButton={isForm}
    >
      {isForm ? (
        <WebhookForm
          action={t`Create webhook`}
          send={(body) => ok(api.POST('/api/webhooks/', { body }))}
          after={setCreated}
        />
      ) : (
        <Secret
          secret={created.secret}
          close={() =>
            void navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId: created.id } })
          }
        />
      )}
    </Modal>
  );
}
