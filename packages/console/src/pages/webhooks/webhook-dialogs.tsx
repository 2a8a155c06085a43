import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { number } from '../../kit/form/number-field.tsx';
import { radios } from '../../kit/form/radio-field.tsx';
import { moment, text } from '../../kit/form/text-fields.tsx';
import type { webhookSearch } from './search.ts';
import { Secret } from './secret.tsx';
import type { Webhook } from './webhook.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface Props {
  webhook: Webhook;
  close: () => void;
}

type Dialog = ReturnType<typeof webhookSearch>['dialog'];

/** The dialogs that an address can open. */
export function WebhookDialogs({ dialog, webhook, close }: Props & { dialog: Dialog }) {
  const navigate = useNavigate();
  const { id, name, failure } = webhook;
  const params = { path: { webhook_id: id } };
  const event = failure?.event_id ?? null;
  const type = failure?.event_type ?? '';
  const actions: Partial<Record<NonNullable<Dialog>, Action>> = {
    // Asks first, because deliveries cannot be taken back.
    enable: {
      title: t`Enable ${name}?`,
      sentence: t`Deliveries continue where they stopped. If the receiver does not take one event, skip that event first. To skip all waiting events, replay from the end.`,
      button: t`Enable webhook`,
      request: () => change(id, { enabled: true }),
      message: t`Webhook enabled`,
    },
    ...(event !== null && {
      skip: {
        title: t`Skip an event of ${name}?`,
        sentence: t`The receiver does not get the event ${type}. All later events follow. The event log records that you skipped it.`,
        button: t`Skip this event`,
        danger: true,
        request: () =>
          ok(api.POST('/api/webhooks/{webhook_id}/skip/', { params, body: { event_id: event } })),
        message: t`Event skipped`,
      },
    }),
    delete: {
      title: t`Delete ${name}?`,
      sentence: t`The receiver gets no more events. The delivery log is deleted, too. This cannot be undone.`,
      button: t`Delete webhook`,
      type: name,
      request: () => ok(api.DELETE('/api/webhooks/{webhook_id}/', { params })),
      message: t`Webhook deleted`,
      after: () => navigate({ to: '/settings/webhooks' }),
    },
  };
  return (
    <>
      {dialog === 'edit' && <Edit webhook={webhook} close={close} />}
      {dialog === 'rotate' && <Rotate webhook={webhook} close={close} />}
      {dialog === 'replay' && <Replay webhook={webhook} close={close} />}
      <ActionDialog of={dialog && actions[dialog]} close={close} />
    </>
  );
}

export const change = (id: string, body: { enabled?: boolean; name?: string }, version?: string) =>
  ok(
    api.PATCH('/api/webhooks/{webhook_id}/', {
      params: { path: { webhook_id: id }, header: ifMatch(version) },
      body,
    }),
  );

function Edit({ webhook, close }: Props) {
  const { name } = webhook;
  return (
    <Modal opened onClose={close} title={t`Edit ${name}`} size="lg">
      <WebhookForm
        of={webhook}
        action={t`Save`}
        send={(body, version) => change(webhook.id, body, version)}
        after={close}
      />
    </Modal>
  );
}

const ROTATION = {
  overlap_hours: number({
    label: t`Overlap in hours`,
    description: t`During the overlap, requests carry the signatures of both secrets. Update your receiver before it ends.`,
    initial: 24,
    min: 0,
    max: 168,
    'data-autofocus': true,
  }),
};

function Rotate({ webhook: { id, name }, close }: Props) {
  const [secret, setSecret] = useState<string>();
  const form = useFields(ROTATION, {
    send: (body) =>
      ok(
        api.POST('/api/webhooks/{webhook_id}/rotate-secret/', { params: { path: { webhook_id: id } }, body }),
      ),
    after: (rotated) => setSecret(rotated.secret),
  });
  const isForm = secret === undefined;
  return (
    <Modal
      opened
      onClose={close}
      title={isForm ? t`Rotate the secret of ${name}` : t`New signing secret`}
      closeOnClickOutside={isForm}
      closeOnEscape={isForm}
      withCloseButton={isForm}
      size="lg"
    >
      {isForm ? (
        <DialogForm {...form} action={t`Create new secret`}>
          <Fields of={form} />
        </DialogForm>
      ) : (
        <Secret secret={secret} close={close} />
      )}
    </Modal>
  );
}

const REPLAY = {
  where: radios({
    label: t`Deliver events`,
    description: t`Events that were already delivered are sent again with the same IDs.`,
    data: [
      { value: 'time', label: t`Since a time` },
      { value: 'event', label: t`From an event on` },
      { value: 'end', label: t`From now on, without the events that are waiting` },
    ],
    initial: 'time',
    autofocus: true,
  }),
  time: moment({ label: t`Time`, description: t`In your local time.`, required: true }),
  event: text({ label: t`Event ID`, required: true, maxLength: 36 }),
};

function Replay({ webhook: { id, name }, close }: Props) {
  const form = useFields(REPLAY, {
    fieldOf: () => 'event',
    send: ({ where, ...from }) =>
      ok(
        api.POST('/api/webhooks/{webhook_id}/replay/', {
          params: { path: { webhook_id: id } },
          body: { from: where === 'end' ? 'end' : from[where] },
        }),
      ),
    success: t`Deliveries continue from there`,
    after: close,
  });
  const { where } = form.values;
  return (
    <Modal opened onClose={close} title={t`Replay ${name}`}>
      <DialogForm {...form} action={t`Replay`}>
        <Fields of={form} only={['where', where !== 'end' && where]} />
      </DialogForm>
    </Modal>
  );
}
