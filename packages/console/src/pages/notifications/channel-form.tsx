import { t } from '@lingui/core/macro';
import { Button, Checkbox, Group, Skeleton, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, type Item, load, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { AppName } from '../../apps/app-name.tsx';
import { AppPicker } from '../../apps/app-picker.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { type Edits, editsFrom, type Row } from '../../kit/form/edits.ts';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { kindTitle } from './kind-titles.ts';

export type Channel = Item<'/api/notifications/channels/'>;

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

/** Changes a channel, from the version that the form is filled from. */
export function EditChannel({ id, type, after }: { id: string; type: Channel['type']; after: () => void }) {
  const channel = useQuery({
    ...get('/api/notifications/channels/{channel_id}/', { path: { channel_id: id } }),
    refetchOnWindowFocus: false,
  });
  if (channel.isLoadingError) return <Failure error={channel.error} again={() => void channel.refetch()} />;
  return channel.data === undefined ? (
    <Skeleton height={240} />
  ) : (
    <ChannelForm type={type} of={channel.data} after={after} />
  );
}

const valuesOf = (channel: Channel | undefined) => ({
  name: channel?.name ?? '',
  url: '',
  app: channel?.app?.external_uuid ?? null,
  kinds: (channel?.kinds ?? []) as Channel['kinds'],
  enabled: channel?.enabled ?? true,
});
type Values = ReturnType<typeof valuesOf>;

/** Returns the rows to compare if somebody else has changed the channel. Its address is not known here. */
const rowsOf = ({ name, app, kinds, enabled }: Values): Row[] => [
  { label: t`Name`, value: name.trim(), show: name.trim() },
  { label: t`App`, value: app, show: app === null ? t`All apps` : <AppName id={app} /> },
  { label: t`Messages`, value: kinds.toSorted(), show: kinds.map(kindTitle).join(', ') },
  { label: t`Send messages`, value: enabled, show: enabled ? t`Yes` : t`No` },
];

const editsOf = (channel: Channel): Edits<Values> =>
  editsFrom(
    channel,
    () =>
      load('/api/notifications/channels/{channel_id}/', {
        path: { channel_id: channel.external_uuid },
      }),
    valuesOf,
    rowsOf,
  );

/** Adds or changes a channel. The address is secret, so that it is not shown again. */
export function ChannelForm({ type, of, after }: Props) {
  const kinds = useQuery(get('/api/notifications/kinds/'));
  const host = of?.host ?? '';
  const { form, submit, pending, failure } = useApiForm({
    initialValues: valuesOf(of),
    validate: { kinds: (chosen) => (chosen.length === 0 ? t`Select at least one kind of message.` : null) },
    send: ({ url, ...rest }, version) => {
      const settings = { ...rest, name: rest.name.trim() };
      const address = url.trim();
      if (of === undefined)
        return ok(api.POST('/api/notifications/channels/', { body: { type, url: address, ...settings } }));
      return ok(
        api.PATCH('/api/notifications/channels/{channel_id}/', {
          params: { path: { channel_id: of.external_uuid }, header: ifMatch(version) },
          body: { ...settings, ...(address === '' ? {} : { url: address }) },
        }),
      );
    },
    ...(of === undefined ? {} : { edits: editsOf(of) }),
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
              .map(({ kind }) => (
                <Checkbox key={kind} value={kind} label={kindTitle(kind)} />
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
