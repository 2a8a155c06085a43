import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { api, list, notifyFailure, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppName } from '../../apps/app-name.tsx';
import { ActionButton, IN_ROW } from '../../kit/action/action-button.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Dialog } from '../../kit/controls/dialog.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { useUndoable } from '../../kit/controls/undoable.ts';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { type Channel, ChannelForm, EditChannel, TYPES } from './channel-form.tsx';
import { notificationSettingsSearch } from './search.ts';

const columns: Column<Channel>[] = [
  column.title('name', t`Name`),
  column.code('type', t`Type`, TYPES),
  column.cell('app', t`App`, ({ app }) => (app === null ? t`All apps` : <AppName id={app.external_uuid} />)),
  column.cell('kinds', t`Messages`, ({ kinds }) => plural(kinds.length, { one: '# kind', other: '# kinds' })),
  column.cell('last', t`Last delivery`, (channel) => <LastDelivery of={channel} />),
  column.cell('actions', t`Actions`, (channel) => <Actions of={channel} />),
];

function LastDelivery({ of: { enabled, last_delivery: last } }: { of: Channel }) {
  if (!enabled) return <Status of="off" look="held" word={t`Paused`} />;
  if (last === null) return t`Never`;
  const isGood = last.state === 'sent';
  return (
    <span title={last.reason ?? undefined}>
      <Status of={last.state} look={isGood ? 'good' : 'warn'} word={isGood ? t`Sent` : t`Not sent`} />{' '}
      <Moment at={last.at} />
    </span>
  );
}

const ADD = {
  slack: t`Add Slack channel`,
  teams: t`Add Microsoft Teams channel`,
} satisfies Record<Channel['type'], string>;

/** The channels in Slack and Microsoft Teams that get messages. */
export function Channels() {
  const [at, go] = useAddress(notificationSettingsSearch);
  const { manages } = useMe();
  const close = () => go({ dialog: undefined, page: at.page });
  return (
    <Section
      title={t`Slack and Microsoft Teams`}
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
                {ADD[type]}
              </Button>
            ))}
          </Group>
        )
      }
    >
      <DataTable
        label={t`Channels`}
        counted={(n) => plural(n, { one: '# channel', other: '# channels' })}
        list={list('/api/notifications/channels/')}
        columns={columns}
        page={1}
        pageSize={200}
        onPage={() => undefined}
        empty={
          <Empty title={t`No channels yet`}>
            <Trans>
              A channel gets messages about failed tasks, held removals and other work of administrators.
            </Trans>
          </Empty>
        }
      />
      {manages && at.dialog !== undefined && (
        <Dialog onClose={close} title={ADD[at.dialog]} size="lg">
          <ChannelForm type={at.dialog} after={close} />
        </Dialog>
      )}
    </Section>
  );
}

function Actions({ of: channel }: { of: Channel }) {
  const { manages } = useMe();
  const { external_uuid: id, name, type } = channel;
  const [isEditing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const params = { path: { channel_id: id } };
  const test = useChange(() => ok(api.POST('/api/notifications/channels/{channel_id}/test/', { params })), {
    success: ({ delivered }) => (delivered ? t`${name} took the message` : ''),
    after: ({ delivered, reason }) => {
      if (!delivered) notifyFailure(new Error(reason ?? t`The message was not delivered.`));
    },
  });
  const enable = (enabled: boolean) =>
    ok(api.PATCH('/api/notifications/channels/{channel_id}/', { params, body: { enabled } }));
  const pause = useUndoable(() => enable(!channel.enabled), {
    done: () => (channel.enabled ? t`${name} was paused` : t`${name} was resumed`),
    undo: () => enable(channel.enabled),
  });
  if (!manages) return null;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={channel.enabled ? t`Pause ${name}` : t`Resume ${name}`}
        loading={pause.isPending}
        onClick={() => pause.mutate(undefined)}
      >
        {channel.enabled ? t`Pause` : t`Resume`}
      </Button>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t`Test ${name}`}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        <Trans context="verb">Test</Trans>
      </Button>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t`Edit ${name}`}
        onClick={() => setEditing(true)}
      >
        <Trans>Edit</Trans>
      </Button>
      <ActionButton
        {...IN_ROW}
        label={t`Remove`}
        fullLabel={t`Remove ${name}`}
        of={{
          title: t`Remove ${name}?`,
          sentence: t`The channel gets no more messages from Gatehouse.`,
          button: t`Remove channel`,
          danger: true,
          request: () => ok(api.DELETE('/api/notifications/channels/{channel_id}/', { params })),
          message: t`${name} was removed`,
        }}
      />
      <Dialog opened={isEditing} onClose={close} title={t`Edit ${name}`} size="lg">
        <EditChannel id={channel.external_uuid} type={type} after={close} />
      </Dialog>
    </Group>
  );
}
