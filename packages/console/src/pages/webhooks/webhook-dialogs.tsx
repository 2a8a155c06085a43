import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Radio.css';
import { Button, Group, Modal, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import type { webhookSearch } from './search.ts';
import { Secret } from './secret.tsx';
import type { Webhook } from './webhook.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface Props {
  webhook: Webhook;
  close: () => void;
}

/** The dialogs that an address can open. */
export function WebhookDialogs({
  dialog,
  ...props
}: Props & { dialog: ReturnType<typeof webhookSearch>['dialog'] }) {
  return (
    <>
      {dialog === 'edit' && <Edit {...props} />}
      <Toggle {...props} opened={dialog === 'toggle'} />
      {dialog === 'rotate' && <Rotate {...props} />}
      {dialog === 'replay' && <Replay {...props} />}
      <Delete {...props} opened={dialog === 'delete'} />
    </>
  );
}

const change = (id: string, body: { enabled?: boolean; name?: string }) =>
  ok(api.PATCH('/api/webhooks/{webhook_id}/', { params: { path: { webhook_id: id } }, body }));

function Edit({ webhook, close }: Props) {
  return (
    <Modal opened onClose={close} title={`Edit ${webhook.name}`} size="lg">
      <WebhookForm of={webhook} action="Save" send={(body) => change(webhook.id, body)} after={close} />
    </Modal>
  );
}

function Toggle({ webhook: { id, name, enabled }, close, opened }: Props & { opened: boolean }) {
  const toggle = useChange(() => change(id, { enabled: !enabled }), {
    success: enabled ? 'Webhook paused' : 'Webhook enabled',
    showFailure: false,
  });
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`${enabled ? 'Pause' : 'Enable'} ${name}?`}
      action={enabled ? 'Pause webhook' : 'Enable webhook'}
      harmless
      act={() => toggle.mutateAsync(undefined)}
    >
      {enabled
        ? 'Events wait in the log. Once you enable the webhook again, they are delivered in order.'
        : 'Deliveries continue where they stopped. To skip the waiting events, replay from the end before you enable the webhook.'}
    </Confirm>
  );
}

function Rotate({ webhook: { id, name }, close }: Props) {
  const [secret, setSecret] = useState<string>();
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { overlap_hours: 24 },
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
      title={isForm ? `Rotate the secret of ${name}` : 'New signing secret'}
      closeOnClickOutside={isForm}
      closeOnEscape={isForm}
      withCloseButton={isForm}
      size="lg"
    >
      {isForm ? (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <NumberInput
              label="Overlap in hours"
              description="During the overlap, requests carry the signatures of both secrets. Update your receiver before it ends."
              min={0}
              max={168}
              allowDecimal={false}
              data-autofocus
              {...form.getInputProps('overlap_hours')}
            />
            <FormFailure of={failure} />
            <Group justify="flex-end">
              <Button type="submit" loading={pending}>
                Create new secret
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Secret secret={secret} close={close} />
      )}
    </Modal>
  );
}

function Replay({ webhook: { id, name }, close }: Props) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { where: 'time', time: '', event: '' },
    fieldOf: () => 'event',
    send: ({ where, time, event }) => {
      const from = where === 'end' ? 'end' : where === 'time' ? `${time}:00Z` : event.trim();
      return ok(
        api.POST('/api/webhooks/{webhook_id}/replay/', {
          params: { path: { webhook_id: id } },
          body: { from },
        }),
      );
    },
    success: 'Deliveries continue from there',
    after: close,
  });
  const { where } = form.values;
  return (
    <Modal opened onClose={close} title={`Replay ${name}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Radio.Group
            label="Deliver events"
            description="Events that were already delivered are sent again with the same IDs."
            {...form.getInputProps('where')}
          >
            <Stack gap={6} mt={4}>
              <Radio value="time" label="Since a time" data-autofocus />
              <Radio value="event" label="From an event on" />
              <Radio value="end" label="From now on, without the events that are waiting" />
            </Stack>
          </Radio.Group>
          {where === 'time' && (
            <TextInput label="Time (UTC)" type="datetime-local" required {...form.getInputProps('time')} />
          )}
          {where === 'event' && (
            <TextInput label="Event ID" required maxLength={36} {...form.getInputProps('event')} />
          )}
          <FormFailure of={failure} />
          <Group justify="flex-end">
            <Button type="submit" loading={pending}>
              Replay
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Delete({ webhook: { id, name }, close, opened }: Props & { opened: boolean }) {
  const navigate = useNavigate();
  const remove = useChange(
    () => ok(api.DELETE('/api/webhooks/{webhook_id}/', { params: { path: { webhook_id: id } } })),
    { success: 'Webhook deleted', showFailure: false, after: () => navigate({ to: '/settings/webhooks' }) },
  );
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Delete ${name}?`}
      action="Delete webhook"
      type={name}
      act={() => remove.mutateAsync(undefined)}
    >
      The receiver gets no more events. The delivery log is deleted, too. This cannot be undone.
    </Confirm>
  );
}
