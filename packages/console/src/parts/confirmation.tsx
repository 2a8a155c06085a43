import '@mantine/core/styles/Divider.css';
import '@mantine/core/styles/PasswordInput.css';
import { Button, Divider, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { api, get, ok } from '../api/client.ts';
import { detailOf, hasCode } from '../api/error.ts';
import { useMe } from '../api/me.ts';
import { useApiForm } from './form.ts';
import { FormFailure } from './form-failure.tsx';

/** A change that waits until the person has confirmed who they are. */
interface Waiting {
  go: () => void;
  stop: () => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();
function setWaiting(next: Waiting | undefined) {
  waiting = next;
  for (const listener of listeners) listener();
}

/**
 * Makes a change that requires a recent sign-in. If the last one is too old, asks the person to confirm who they are,
 * and makes the change again. A `password` that the person has just entered is the confirmation.
 */
export async function withConfirmation<T>(change: () => Promise<T>, password?: string): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!hasCode(error, 'confirmation_required')) throw error;
    if (password !== undefined) await ok(api.POST('/auth/confirm/', { body: { password } }));
    else await new Promise<void>((go, stop) => setWaiting({ go, stop: () => stop(error) }));
    return change();
  }
}

/** Gets a response of one of the person's passkeys. */
export async function passkeyResponse() {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = (await ok(
    api.POST('/auth/passkey-sign-in/options/'),
  )) as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}

/** The dialog of {@link withConfirmation}. The layout shows it once for all pages. */
export function ConfirmationDialog() {
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
  if (asked === undefined) return null;
  const end = (how: () => void) => {
    setWaiting(undefined);
    how();
  };
  return (
    <Modal opened onClose={() => end(asked.stop)} title="Confirm that it is you" zIndex={300}>
      <Proofs after={() => end(asked.go)} />
    </Modal>
  );
}

function Proofs({ after }: { after: () => void }) {
  const { me } = useMe();
  const passkeys = useQuery(get('/auth/passkeys/'));
  const hasPassword = me?.has_password === true;
  const hasPasskey = (passkeys.data?.results.length ?? 0) > 0;
  return (
    <Stack gap="sm">
      <Text size="sm">
        You signed in more than 15 minutes ago. Changes to how you sign in require a recent confirmation.
      </Text>
      {hasPassword && <PasswordProof after={after} />}
      {hasPassword && hasPasskey && <Divider label="or" />}
      {hasPasskey && <PasskeyProof after={after} />}
      {!hasPassword && !hasPasskey && passkeys.isSuccess && <ProviderProof />}
    </Stack>
  );
}

/** Signs in anew at the person's provider, for people with neither a password nor a passkey. */
function ProviderProof() {
  const sessions = useQuery(get('/auth/sessions/'));
  const [failure, setFailure] = useState<string>();
  const current = sessions.data?.results.find((session) => session.current);
  const provider = current?.provider ?? null;
  if (!sessions.isSuccess) return null;
  if (provider === null)
    return <Text size="sm">You have neither a password nor a passkey. Sign out, then sign in again.</Text>;
  const signIn = async () => {
    setFailure(undefined);
    try {
      const body = { provider, again: true, return_to: location.pathname + location.search };
      location.assign((await ok(api.POST('/auth/sso/', { body }))).url);
    } catch (error) {
      setFailure(detailOf(error));
    }
  };
  return (
    <>
      <Text size="sm">
        Sign in again through your provider. You then return to this page and can make the change. If you are
        asked again, your provider does not say when you signed in: ask an administrator for a sign-in link.
      </Text>
      <FormFailure of={failure} />
      <Button onClick={() => void signIn()}>Sign in again</Button>
    </>
  );
}

function PasswordProof({ after }: { after: () => void }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { password: '' },
    send: (body) => ok(api.POST('/auth/confirm/', { body })),
    after,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('password')}
        />
        <FormFailure of={failure} />
        <Button type="submit" loading={pending}>
          Confirm
        </Button>
      </Stack>
    </form>
  );
}

/** Confirms with a passkey, which counts as a second factor. */
export function PasskeyProof({ after }: { after: () => void }) {
  const [failure, setFailure] = useState<string>();
  const confirm = async () => {
    setFailure(undefined);
    try {
      const response = await passkeyResponse();
      await ok(api.POST('/auth/confirm/', { body: { response } }));
      after();
    } catch (error) {
      setFailure(detailOf(error));
    }
  };
  return (
    <>
      <FormFailure of={failure} />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={17} aria-hidden />}
        onClick={() => void confirm()}
      >
        Confirm with a passkey
      </Button>
    </>
  );
}
