import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { api, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { CodeBlock } from '../../parts/code.tsx';
import { Copy } from '../../parts/copy.tsx';
import { exact, personName } from '../../parts/words.ts';
import type { Person } from './person.ts';

interface Props {
  opened: boolean;
  close: () => void;
  person: Person;
}

/** A one-time link with which a person sets a password; shown once. */
export function SignInLink({ opened, close, person }: Props) {
  return (
    <Modal opened={opened} onClose={close} title={`Sign-in link for ${personName(person)}`} size="lg">
      <Link close={close} person={person} />
    </Modal>
  );
}

function Link({ close, person }: Omit<Props, 'opened'>) {
  const make = useChange(
    () =>
      ok(
        api.POST('/api/users/{user_id}/sign-in-link/', {
          params: { path: { user_id: person.external_uuid } },
        }),
      ),
    { tell: false },
  );
  if (make.data === undefined) {
    return (
      <Stack gap="sm">
        <Text size="sm">
          With it they choose a password and are signed in. It works once, for 72 hours, and replaces the link
          before it. A password that they have stays good until they choose another.
        </Text>
        {make.isError && (
          <Alert color="red" role="alert">
            {detailOf(make.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button loading={make.isPending} onClick={() => make.mutate()}>
            Make the link
          </Button>
        </Group>
      </Stack>
    );
  }
  const { url, expires_at } = make.data;
  return (
    <Stack gap="sm">
      <CodeBlock text={url} what="sign-in link" />
      <Text size="sm">
        It is shown this once. Pass it to {person.email} yourself, by a way that nobody else reads: whoever
        opens it first chooses the password. It works until {exact(new Date(expires_at))}.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Copy value={url} what="link" labelled />
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  );
}
