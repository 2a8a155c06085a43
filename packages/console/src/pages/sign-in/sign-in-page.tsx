import { t } from '@lingui/core/macro';
import { Button, Divider, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, api, get, load, ok } from '../../api/client.ts';
import { takeEarly } from '../../api/early.ts';
import { detailOf } from '../../api/error.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { IconFingerprint } from '../../kit/icons/icons.ts';
import { consolePath } from '../../shell/console-path.ts';
import { passkeyResponse } from '../../sign-in/passkey.ts';
import { passkeyObstacle } from '../../sign-in/passkey-obstacle.ts';
import { FromProvider } from './from-provider.tsx';
import { PasswordForm } from './password-form.tsx';
import { providerFailure } from './provider-failure.ts';
import { ProviderReport } from './provider-report.tsx';
import { returnAddress } from './return-address.ts';
import { signInSearch } from './search.ts';
import { SecondFactor } from './second-factor.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

const offerQuery = queryOptions({
  ...get('/auth/'),
  queryFn: async ({ signal }) => (await takeEarly<Answer<'/auth/'>>('offer')) ?? load('/auth/', {}, signal),
});

/** Signs in with a password, a passkey or through an identity provider, then returns to the requested page. */
export function SignInPage() {
  const [at] = useAddress(signInSearch);
  const router = useRouter();
  const client = useQueryClient();
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false);
  const [failure, setFailure] = useState(providerFailure(at.error));
  const offer = useQuery(offerQuery);
  const passkeys = offer.data?.passkeys;
  const organization = offer.data?.organization.name;
  const wanted = returnAddress(at.return);
  const portal =
    at.error === 'unsolicited' ? offer.data?.providers.find(({ id }) => id === at.provider) : undefined;
  const reported = offer.data?.failure ?? null;

  const enter = () => {
    client.clear();
    router.history.push(consolePath + wanted);
  };
  const attempt = async (act: () => Promise<void>) => {
    setFailure(undefined);
    await act().catch((error: unknown) => setFailure(detailOf(error)));
  };
  const withPasskey = () =>
    attempt(async () => {
      const response = await passkeyResponse();
      await ok(api.POST('/auth/passkey-sign-in/', { body: { response } }));
      enter();
    });
  const withProvider = (provider: string) =>
    attempt(async () => {
      const { url } = await ok(
        api.POST('/auth/sso/', { body: { provider, return_to: consolePath + wanted } }),
      );
      location.assign(url);
    });

  return (
    <SignInFrame title={organization === undefined ? t`Sign in` : t`Sign in to ${organization}`}>
      {portal !== undefined && failure === providerFailure(at.error) ? (
        <FromProvider name={portal.name} start={() => void withProvider(portal.id)} />
      ) : (
        <FormFailure of={failure} />
      )}
      {reported !== null && reported.failure === at.error && failure !== undefined && (
        <ProviderReport of={reported} />
      )}
      {needsSecondFactor ? (
        <SecondFactor after={enter} />
      ) : (
        <>
          <PasswordForm
            before={() => setFailure(undefined)}
            after={(needed) => (needed ? setNeedsSecondFactor(true) : enter())}
          />
          {(passkeys?.available || (offer.data?.providers.length ?? 0) > 0) && <Divider label={t`or`} />}
          {passkeys?.available && (
            <Button
              variant="default"
              size="sm"
              leftSection={<IconFingerprint size={17} aria-hidden />}
              onClick={() => void withPasskey()}
            >
              {t`Sign in with a passkey`}
            </Button>
          )}
          {offer.data?.providers.map(({ id, name }) => (
            <Button key={id} variant="default" size="sm" onClick={() => void withProvider(id)}>
              {t`Sign in with ${name}`}
            </Button>
          ))}
          {typeof passkeys?.reason === 'string' && (
            <Text size="sm" c="dimmed">
              {passkeyObstacle(location)}
            </Text>
          )}
        </>
      )}
    </SignInFrame>
  );
}
