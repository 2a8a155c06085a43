import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/PasswordInput.css';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { base } from '../api/base.ts';
import { type Me, meQuery } from '../api/me.ts';
import { endSignIn } from '../api/session.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { CountsAsUnsaved } from '../kit/form/unsaved.ts';
import { personName } from '../kit/text/words.ts';
import { PasswordForm } from '../pages/sign-in/password-form.tsx';
import { SecondFactor } from '../pages/sign-in/second-factor.tsx';

/** Above dialogs and questions. */
const ABOVE_ALL = 400;

/** Signs in again on the page where a session ended, so that its unsaved input is kept. */
export function SessionDialog() {
  const client = useQueryClient();
  const me = client.getQueryData<Me>(meQuery.queryKey);
  const name = me && personName(me);
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false);

  useEffect(() => {
    // Someone who signed in in another tab returns.
    const resume = () => void continueAs(me);
    addEventListener('focus', resume);
    return () => removeEventListener('focus', resume);
  }, [me]);

  return (
    <Modal
      opened
      onClose={() => {}}
      title={t`Sign in again`}
      zIndex={ABOVE_ALL}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 6 }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {name === undefined ? (
            <Trans>Your session has ended. Sign in again to continue. Your input on this page is kept.</Trans>
          ) : (
            <Trans>
              Your session has ended. Sign in again as {name} to continue. Your input on this page is kept.
            </Trans>
          )}
        </Text>
        <CountsAsUnsaved value={false}>
          {needsSecondFactor ? (
            <SecondFactor after={() => void continueAs(me)} />
          ) : (
            <PasswordForm
              email={me?.email}
              before={() => {}}
              after={(needed) => (needed ? setNeedsSecondFactor(true) : void continueAs(me))}
            />
          )}
        </CountsAsUnsaved>
        <Group justify="space-between">
          <TextLink size="sm" to="/sign-in" target="_blank">
            <Trans>Sign in another way in a new tab</Trans>
          </TextLink>
          <Button variant="subtle" color="gray" onClick={() => endSignIn(false)}>
            <Trans>Leave this page</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Repeats the failed requests if the same person is signed in. Starts over for another person. */
async function continueAs(before: Me | undefined) {
  const response = await fetch(`${base}/api/me/`).catch(() => undefined);
  if (response?.ok !== true) return;
  const { external_uuid } = (await response.json()) as Me;
  if (external_uuid === before?.external_uuid) endSignIn(true);
  else location.reload();
}
