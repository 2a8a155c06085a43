import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/Divider.css';
import { Button, Divider, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Me, meQuery } from '../api/me.ts';
import { endSignIn } from '../api/session.ts';
import { reload } from '../kit/browser/new-version.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { CountsAsUnsaved, useHasUnsaved } from '../kit/form/unsaved.ts';
import { personName } from '../kit/text/words.ts';
import { PasswordForm } from '../pages/sign-in/password-form.tsx';
import { SecondFactor } from '../pages/sign-in/second-factor.tsx';

/** Above dialogs and questions. */
const ABOVE_ALL = 400;

/** The person who is signed in now: undefined for somebody else whose name is not known yet, null for nobody. */
export type SignedIn = Me | undefined | null;

interface Props {
  now: SignedIn;
  look: () => void;
}

/**
 * Signs in again on the page where a session ended, or in whose browser somebody else has signed in, so that its unsaved input is
 * kept. Failed requests are repeated only for the person for whom the page was drawn.
 */
export function SessionDialog({ now, look }: Props) {
  const me = useQueryClient().getQueryData<Me>(meQuery.queryKey);
  return (
    <Modal
      opened
      onClose={() => {}}
      title={now === null ? t`Sign in again` : takenTitle(now)}
      zIndex={ABOVE_ALL}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 6 }}
    >
      <Stack gap="sm">
        {now === null ? <Ended me={me} /> : <Taken me={me} now={now} />}
        <SignInForms email={me?.email} after={look} />
        <Group justify="space-between">
          <TextLink size="sm" to="/sign-in" target="_blank">
            <Trans>Sign in another way in a new tab</Trans>
          </TextLink>
          {now === null && (
            <Button variant="subtle" color="gray" onClick={() => endSignIn(false)}>
              <Trans>Leave this page</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function takenTitle(now: Me | undefined): string {
  if (now === undefined) return t`Somebody else is signed in now`;
  const name = personName(now);
  return t`You are signed in as ${name} now`;
}

function Ended({ me }: { me: Me | undefined }) {
  const name = me && personName(me);
  return (
    <Text size="sm">
      {name === undefined ? (
        <Trans>Your session has ended. Sign in again to continue. Your input on this page is kept.</Trans>
      ) : (
        <Trans>
          Your session has ended. Sign in again as {name} to continue. Your input on this page is kept.
        </Trans>
      )}
    </Text>
  );
}

/** Offers to continue as the person who is signed in now, or to go on with the page. */
function Taken({ me, now }: { me: Me | undefined; now: Me | undefined }) {
  const isUnsaved = useHasUnsaved();
  const name = me === undefined ? '' : personName(me);
  const other = now === undefined ? '' : personName(now);
  return (
    <>
      <Text size="sm">
        <Trans>
          This page was opened by {name}. Since then, somebody else has signed in with this browser. Nothing
          was sent.
        </Trans>
      </Text>
      {now !== undefined && (
        <>
          {isUnsaved && (
            <Text size="sm">
              <Trans>Your unsaved input is lost if you continue as {other}.</Trans>
            </Text>
          )}
          <Button size="sm" variant="default" onClick={reload}>
            <Trans>Continue as {other}</Trans>
          </Button>
          <Divider label={t`or`} />
        </>
      )}
      <Text size="sm">
        <Trans>Sign in again as {name} to go on with this page. Your input is kept.</Trans>
      </Text>
    </>
  );
}

function SignInForms({ email, after }: { email: string | undefined; after: () => void }) {
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false);
  return (
    <CountsAsUnsaved value={false}>
      {needsSecondFactor ? (
        <SecondFactor after={after} />
      ) : (
        <PasswordForm
          email={email}
          before={() => {}}
          after={(needed) => (needed ? setNeedsSecondFactor(true) : after())}
        />
      )}
    </CountsAsUnsaved>
  );
}
