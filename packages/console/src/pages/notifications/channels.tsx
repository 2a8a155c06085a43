import { Button, Group, Modal } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { api, type Item, list, notifyFailure, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { AppName } from '../../parts/app-name.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useBackCloses } from '../../parts/dialog-history.ts';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted } from '../../parts/words.ts';
import { ChannelForm, TYPES } from './channel-form.tsx';
import { notificationSettingsSearch } from './search.ts';

export type Channel = Item<'/api/notifications/channels/'>;

const columns: Column<Channel>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { id: 'type', header: 'Type', cell: ({ type }) => TYPES[type] },
  {
    id: 'app',
    header: 'App',
    cell: ({ app }) => (app === null ? 'All apps' : <AppName id={app.external_uuid} />),
  },
  { id: 'kinds', header: 'Messages', cell: ({ kinds }) => counted(kinds.length, 'kind') },
  { id: 'last', header: 'Last delivery', cell: (channel) => <LastDelivery of={channel} /> },
  { id: 'actions', header: 'Actions', cell: (channel) => <Actions of={channel} /> },
];

function LastDelivery({ of: { enabled, last_delivery: last } }: { of: Channel }) {
  if (!enabled) return <Status of="off" look="held" word="Paused" />;
  if (last === null) return 'Never';
  const isGood = last.state === 'sent';
  return (
    <span title={last.reason ?? undefined}>
      <Status of={last.state} look={isGood ? 'good' : 'warn'} word={isGood ? 'Sent' : 'Not sent'} />{' '}
      <Moment at={last.at} />
    </span>
  );
}

/** The channels in Slack and Microsoft Teams that get messages. */
export function Channels() {
  const [at, go] = useAddress(notificationSettingsSearch);
  const { manages } = useMe();
  const close = () => go({ dialog: undefined, page: at.page });
  return (
    <Section
      title="Slack and Microsoft Teams"
      actions={
        manages && (
          <Group gap="xs">
            {(['slack', 'teams'] as const).map((type) => (
              <Button
                key={type}
                variant="default"
                leftSection={<IconPlus size={15} aria-hidden />}
                onClick={() => go({ dialog: type, page: at.page })}
              >
                Add {TYPES[type]} channel
              </Button>
            ))}
          </Group>
        )
      }
    >
      <DataTable
        label="Channels"
        noun="channel"
        list={list('/api/notifications/channels/')}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        page={1}
        pageSize={200}
        onPage={() => undefined}
        empty={
          <Empty title="No channels yet">
            A channel gets messages about failed tasks, held removals and other work of administrators.
          </Empty>
        }
      />
      {manages && at.dialog !== undefined && (
        <Modal opened onClose={close} title={`Add ${TYPES[at.dialog]} channel`} size="lg">
          <ChannelForm type={at.dialog} after={close} />
        </Modal>
      )}
    </Section>
  );
}

function Actions({ of: channel }: { of: Channel }) {
  const { manages } = useMe();
  const { external_uuid: id, name, type } = channel;
  const [dialog, ask] = useState<'edit' | 'delete'>();
  const close = () => ask(undefined);
  useBackCloses(dialog === 'edit', close);
  const params = { path: { channel_id: id } };
  const test = useChange(() => ok(api.POST('/api/notifications/channels/{channel_id}/test/', { params })), {
    success: ({ delivered }) => (delivered ? `${name} took the message` : ''),
    after: ({ delivered, reason }) => {
      if (!delivered) notifyFailure(new Error(reason ?? 'The message was not delivered.'));
    },
  });
  const remove = useChange(() => ok(api.DELETE('/api/notifications/channels/{channel_id}/', { params })), {
    success: `${name} was removed`,
    showFailure: false,
  });
  if (!manages) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={`Test ${name}`}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        Test
      </Button>
      <Button variant="subtle" size="compact-xs" aria-label={`Edit ${name}`} onClick={() => ask('edit')}>
        Edit
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-xs"
        aria-label={`Remove ${name}`}
        onClick={() => ask('delete')}
      >
        Remove
      </Button>
      <Modal opened={dialog === 'edit'} onClose={close} title={`Edit ${name}`} size="lg">
        <ChannelForm type={type} of={channel} after={close} />
      </Modal>
      <Confirm
        opened={dialog === 'delete'}
        close={close}
        title={`Remove ${name}?`}
        action="Remove channel"
        act={() => remove.mutateAsync(undefined)}
      >
        The channel gets no more messages from Gatehouse.
      </Confirm>
    </Group>
  );
}
