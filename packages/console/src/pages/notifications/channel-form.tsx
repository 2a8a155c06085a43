import { t } from '@lingui/core/macro';
import { Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok } from '../../api/client.ts';
import { AppPicker } from '../../parts/app-picker.tsx';
import { picker, useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
import type { Channel } from './channels.tsx';

export const TYPES = { slack: t`Slack`, teams: t`Microsoft Teams` } satisfies Record<Channel['type'], string>;

const WHERE = {
  slack: t`In Slack, add an incoming webhook for the channel and copy its address.`,
  teams: t`In Teams, add a workflow that posts to the channel when a webhook request is received, and copy its address.`,
} satisfies Record<Channel['type'], string>;

interface Props {
  type: Channel['type'];
  of?: Channel;
  after: () => void;
}

/** Adds or changes a channel. The address is secret, so that it is not shown again. */
export function ChannelForm({ type, of, after }: Props) {
  const kinds = useQuery(get('/api/notifications/kinds/'));
  const host = of?.host ?? '';
  const { form, submit, pending, failure } = useApiForm({
    initialValues: {
      name: of?.name ?? '',
      url: '',
      app: of?.app?.external_uuid ?? null,
      kinds: (of?.kinds ?? []) as Channel['kinds'],
      enabled: of?.enabled ?? true,
    },
    validate: { kinds: (chosen) => (chosen.length === 0 ? t`Select at least one kind of message.` : null) },
    send: ({ url, ...rest }) => {
      const settings = { ...rest, name: rest.name.trim() };
      const address = url.trim();
      if (of === undefined)
        return ok(api.POST('/api/notifications/channels/', { body: { type, url: address, ...settings } }));
      return ok(
        api.PATCH('/api/notifications/channels/{channel_id}/', {
          params: { path: { channel_id: of.external_uuid } },
          body: { ...settings, ...(address === '' ? {} : { url: address }) },
        }),
      );
    },
    success: of === undefined ? t`Channel added` : t`Channel saved`,
    after,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput label={t`Name`} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label={t`Address of the incoming webhook`}
          description={of === undefined ? WHERE[type] : t`Leave it empty to keep the address at ${host}.`}
          required={of === undefined}
          maxLength={2048}
          placeholder="https://"
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <AppPicker
          label={t`App`}
          description={t`Without an app, the channel gets messages about all of them.`}
          {...picker(form.getInputProps('app'))}
        />
        <Checkbox.Group label={t`Messages`} {...form.getInputProps('kinds')}>
          <Stack gap={6} mt={4}>
            {kinds.data?.results
              .filter(({ channels }) => channels)
              .map(({ kind, title }) => (
                <Checkbox key={kind} value={kind} label={title} />
              ))}
          </Stack>
        </Checkbox.Group>
        {of !== undefined && (
          <Switch label={t`Send messages`} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        )}
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {of === undefined ? t`Add channel` : t`Save`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
