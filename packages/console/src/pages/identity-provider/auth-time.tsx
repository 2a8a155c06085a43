import { t } from '@lingui/core/macro';
import { Alert, Text } from '@mantine/core';
import type { Provider } from './provider.ts';

/** Shows whether a provider proves a fresh sign-in, and what to do if it does not. */
export function AuthTime({ of: { tells_auth_time, type } }: { of: Provider }) {
  if (tells_auth_time === 'unknown')
    return (
      <Text size="sm" c="dimmed">
        {t`Nobody has signed in yet, so Gatehouse does not know whether the provider says when people signed in.`}
      </Text>
    );
  if (tells_auth_time === 'yes') return <Text size="sm">{t`The provider says when people signed in.`}</Text>;
  return (
    <Alert color="yellow" title={t`The provider does not say when people signed in`}>
      {type === 'oidc'
        ? t`Changes that need a recent sign-in therefore need a password or a passkey, too. Let the provider add the claim auth_time to the ID token: in Entra ID as an optional claim, in Keycloak with the client scope basic. Then test the sign-in again.`
        : t`Changes that need a recent sign-in therefore need a password or a passkey, too. Let the provider send an AuthnStatement with AuthnInstant. Then test the sign-in again.`}
    </Alert>
  );
}
