import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/Divider.css';
import { Button, Divider, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, get, ok } from '../api/client.ts';
import { detailOf } from '../api/error.ts';
import { useMe } from '../api/me.ts';
import { Fields, useFields } from '../kit/form/fields.tsx';
import { FormFailure } from '../kit/form/form-failure.tsx';
import { IconFingerprint } from '../kit/icons/icons.ts';
import { passkeyResponse } from './passkey.ts';
import { OWN_PASSWORD } from './password-fields.ts';

interface Props {
  stop: () => void;
  after: () => void;
}

/** Asks the person to confirm who they are. */
export function ConfirmationModal({ stop, after }: Props) {
  return (
    <Modal opened onClose={stop} title={t`Confirm that it is you`} zIndex={300}>
      <Proofs after={after} />
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
      <Reason />
      {hasPassword && <PasswordProof after={after} />}
      {hasPassword && hasPasskey && <Divider label={t`or`} />}
      {hasPasskey && <PasskeyProof after={after} />}
      {!hasPassword && !hasPasskey && passkeys.isSuccess && <ProviderProof />}
    </Stack>
  );
}

function useCurrentSession() {
  const sessions = useQuery(get('/auth/sessions/'));
  return sessions.data?.results.find((session) => session.current);
}

function Reason() {
  const unproven = useCurrentSession()?.unproven;
  return (
    <Text size="sm">
      {unproven === 'time_unknown' ? (
        <Trans>
          Your sign-in provider does not say when you signed in there. Confirm in another way that it is you
          before you make this change.
        </Trans>
      ) : unproven === 'not_asked_again' ? (
        <Trans>
          Your sign-in provider did not ask you to sign in again, although Gatehouse requested it. Confirm in
          another way that it is you before you make this change.
        </Trans>
      ) : (
        <Trans>
          You signed in more than 15 minutes ago. Confirm that it is you before you make this change.
        </Trans>
      )}
    </Text>
  );
}

/** Signs in again at the person's provider, for people with neither a password nor a passkey. */
function ProviderProof() {
  const current = useCurrentSession();
  const [failure, setFailure] = useState<string>();
  if (current === undefined) return null;
  const { provider, unproven } = current;
  if (provider === null)
    return (
      <Text size="sm">
        <Trans>You have neither a password nor a passkey. Sign out, then sign in again.</Trans>
      </Text>
    );
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
        {unproven === null ? (
          <Trans>
            Sign in again through your provider. You then return to this page and can make the change.
          </Trans>
        ) : (
          <Trans>
            You have neither a password nor a passkey. Ask an administrator for a sign-in link, with which you
            set a password. Or ask them to change the settings at the provider, then sign in again.
          </Trans>
        )}
      </Text>
      <FormFailure of={failure} />
      <Button onClick={() => void signIn()}>
        <Trans>Sign in again</Trans>
      </Button>
    </>
  );
}

function PasswordProof({ after }: { after: () => void }) {
  const form = useFields(OWN_PASSWORD, {
    send: (body) => ok(api.POST('/auth/confirm/', { body })),
    after,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm">
        <Fields of={form} />
        <FormFailure of={form.failure} />
        <Button type="submit" loading={form.pending}>
          <Trans>Confirm</Trans>
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
        <Trans>Confirm with a passkey</Trans>
      </Button>
    </>
  );
}
