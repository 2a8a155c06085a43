import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok, useChange } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { Copy } from '../../kit/controls/copy.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { personName, zonedTime } from '../../kit/text/words.ts';
import type { Person } from './person.ts';

const OUTSIDE = ['link_before_first_day', 'link_after_last_day'];

interface Props {
  opened: boolean;
  close: () => void;
  person: Person;
}

/** Creates a one-time link for setting a password, and shows it once. */
export function SignInLink({ opened, close, person }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t`Sign-in link for ${{ person: personName(person) }}`}
      size="lg"
    >
      <Link close={close} person={person} />
    </Modal>
  );
}

function Link({ close, person }: Omit<Props, 'opened'>) {
  const { role } = useMe();
  const path = { user_id: person.external_uuid };
  const create = useChange(
    (confirm: boolean) =>
      ok(api.POST('/api/users/{user_id}/sign-in-link/', { params: { path }, body: { confirm } })),
    { showFailure: false },
  );
  const kinds = useQuery(get('/api/notifications/kinds/'));
  const email = useChange(
    (confirm: boolean) =>
      ok(api.POST('/api/users/{user_id}/sign-in-link/email/', { params: { path }, body: { confirm } })),
    {
      success: t`Gatehouse will email the link to ${{ email: person.email }} shortly`,
      showFailure: false,
      after: close,
    },
  );
  const failed = [create, email].find(({ isError }) => isError);
  // An owner can confirm a link before the first day of a person and after the last one.
  const isOutside = OUTSIDE.some(
    (code) => failed?.error instanceof ApiError && failed.error.body.code === code,
  );
  const confirms = isOutside && role === 'owner';
  if (create.data === undefined) {
    return (
      <Stack gap="sm">
        <Text size="sm">
          <Trans>
            The link lets {{ person: personName(person) }} choose a password and signs them in. It works once,
            expires after 72 hours, and replaces any previous link. Their current password works until they
            choose a new one.
          </Trans>
        </Text>
        <FormFailure of={failed?.error} />
        <Group justify="flex-end" gap="xs">
          {kinds.data?.email_enabled === true ? (
            <Button loading={email.isPending} onClick={() => email.mutate(confirms)}>
              {confirms ? t`Email the link anyway` : t`Email the link`}
            </Button>
          ) : (
            <Button
              loading={create.isPending}
              disabled={kinds.data === undefined}
              onClick={() => create.mutate(confirms)}
            >
              {confirms ? t`Create link anyway` : t`Create link`}
            </Button>
          )}
        </Group>
      </Stack>
    );
  }
  const { url, expires_at } = create.data;
  return (
    <Stack gap="sm">
      <CodeBlock text={url} what={t`sign-in link`} />
      <Text size="sm">
        <Trans>
          This link is shown only once. Send it to {{ email: person.email }} over a private channel, because
          the first person to open it chooses the password. It expires at{' '}
          {{ time: zonedTime(new Date(expires_at)) }}.
        </Trans>
      </Text>
      <Group justify="flex-end" gap="xs">
        <Copy value={url} what={t`link`} labelled />
        <Button onClick={close}>{t`Done`}</Button>
      </Group>
    </Stack>
  );
}
