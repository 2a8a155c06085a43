import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { useFields } from '../../kit/form/fields.tsx';
import { consolePath } from '../../shell/console-path.ts';
import { bothMatch, NEW_PASSWORD } from '../../sign-in/password-fields.ts';
import { keepEmail } from './last-email.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Opens an administrator's one-time link, `/welcome#<token>`. Browsers never send the token to a server's log. */
export function WelcomePage() {
  const [token] = useState(() => location.hash.slice(1));
  if (token === '') {
    return (
      <SignInFrame title={t`Incomplete link`}>
        <Text size="sm">
          <Trans>Open the complete link that you received, or ask an administrator for a new one.</Trans>
        </Text>
        <ButtonLink to="/sign-in" variant="default">
          <Trans>Go to sign-in</Trans>
        </ButtonLink>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t`Set your password`}>
      <NewPasswordForm token={token} />
    </SignInFrame>
  );
}

/** Sets the password and signs in with it. If that takes more than a password, the sign-in page has the email filled in. */
function NewPasswordForm({ token }: { token: string }) {
  const router = useRouter();
  const client = useQueryClient();
  const form = useFields(NEW_PASSWORD, {
    validate: bothMatch,
    send: async ({ new_password }) => {
      const { email } = await ok(api.POST('/auth/welcome/', { body: { token, new_password } }));
      keepEmail(email);
      // The password is set. The sign-in page shows whatever keeps the person from signing in.
      const entry = ok(api.POST('/auth/sign-in/', { body: { email, password: new_password } }));
      return entry.catch(() => undefined);
    },
    after: (entry) => {
      const isIn = entry !== undefined && entry.second_factor !== true;
      client.clear();
      router.history.replace(isIn ? `${consolePath}/` : `${consolePath}/sign-in`);
    },
  });
  return <SignInForm of={form} action={t`Set password`} />;
}
