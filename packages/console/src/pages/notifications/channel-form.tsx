import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { api, get, type Item, load, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { app } from '../../apps/app-fields.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { check, checks, toggle } from '../../kit/form/choice-fields.tsx';
import { secret } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { kindTitle } from './kind-titles.ts';

export type Channel = Item<'/api/notifications/channels/'>;

export const TYPES = { slack: t`Slack`, teams: t`Microsoft Teams` } satisfies Record<Channel['type'], string>;

const WHERE = {
  slack: t`In Slack, add an incoming webhook for the channel and copy its address.`,
  teams: t`In Teams, add a workflow that posts to the channel when a webhook request is received, and copy its address.`,
} satisfies Record<Channel['type'], string>;

/** Changes a channel, from the version that the form is filled from. */
export function EditChannel({ id, type, after }: { id: string; type: Channel['type']; after: () => void }) {
  const channel = useQuery({
    ...get('/api/notifications/channels/{channel_id}/', { path: { channel_id: id } }),
    refetchOnWindowFocus: false,
  });
  if (channel.data === undefined) return <Unready of={channel} height={240} />;
  return <ChannelForm type={type} of={channel.data} after={after} />;
}

const FIELDS = {
  name: text({ label: t`Name`, required: true, maxLength: 255, 'data-autofocus': true }),
  url: secret(
    text({
      label: t`Address of the incoming webhook`,
      maxLength: 2048,
      placeholder: 'https://',
      autoComplete: 'off',
    }),
  ),
  app: app({
    label: t`App`,
    description: t`Without an app, the channel gets messages about all of them.`,
  }),
  kinds: {
    ...checks<Channel['kinds'][number]>({ label: t`Messages` }),
    show: (kinds: Channel['kinds']) => kinds.map(kindTitle).join(', '),
  },
  show_reasons: check({
    label: t`Show the reasons of requests`,
    description: t`Everybody in the channel can read them. Otherwise they are only on the page of the request.`,
  }),
  enabled: toggle({ label: t`Send messages`, initial: true }),
};

/** Adds or changes a channel. The address is secret, so that it is not shown again. */
export function ChannelForm({ type, of, after }: { type: Channel['type']; of?: Channel; after: () => void }) {
  const kinds = useQuery(get('/api/notifications/kinds/'));
  const host = of?.host ?? '';
  const form = useFields(FIELDS, {
    of,
    read: () =>
      load('/api/notifications/channels/{channel_id}/', { path: { channel_id: of?.external_uuid ?? '' } }),
    from: (channel: Channel) => ({ ...channel, app: channel.app?.external_uuid }),
    validate: { kinds: (chosen) => (chosen.length === 0 ? t`Select at least one kind of message.` : null) },
    send: ({ url, ...settings }, { version }) => {
      if (of === undefined)
        return ok(api.POST('/api/notifications/channels/', { body: { type, url, ...settings } }));
      return ok(
        api.PATCH('/api/notifications/channels/{channel_id}/', {
          params: { path: { channel_id: of.external_uuid }, header: ifMatch(version) },
          body: { ...settings, ...(url === '' ? {} : { url }) },
        }),
      );
    },
    success: of === undefined ? t`Channel added` : t`Channel saved`,
    after,
  });
  const offered = kinds.data?.results.filter(({ channels }) => channels) ?? [];
  return (
    <DialogForm {...form} action={of === undefined ? t`Add channel` : t`Save`}>
      <Fields
        of={form}
        only={['name', 'url', 'app', 'kinds', 'show_reasons', of !== undefined && 'enabled']}
        props={{
          url: {
            description: of === undefined ? WHERE[type] : t`Leave it empty to keep the address at ${host}.`,
            required: of === undefined,
          },
          kinds: { data: offered.map(({ kind }) => ({ value: kind, label: kindTitle(kind) })) },
        }}
      />
    </DialogForm>
  );
}
