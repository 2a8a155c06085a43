import { Button, Divider, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, get, ok } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useAddress } from '../../parts/address.ts';
import { passkeyResponse } from '../../parts/confirmation.tsx';
import { FormFailure } from '../../parts/form-failure.tsx';
import { PasswordForm } from './password-form.tsx';
import { providerFailure } from './provider-failure.ts';
import { returnAddress } from './return-address.ts';
import { signInSearch } from './search.ts';
import { SecondFactor } from './second-factor.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Signs in with a password, a passkey or through an identity provider, then returns to the requested page. */
export function SignInPage() {
  const [at] = useAddress(signInSearch);
  const router = useRouter();
  const client = useQueryClient();
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false);
  const [failure, setFailure] = useState(providerFailure(at.error));
  const offer = useQuery(get('/auth/'));
  const passkeys = offer.data?.passkeys;
  const wanted = returnAddress(at.return);

  const enter = () => {
    client.clear();
    router.history.push(wanted);
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
      const { url } = await ok(api.POST('/auth/sso/', { body: { provider, return_to: wanted } }));
      location.assign(url);
    });

  return (
    <SignInFrame title={`Sign in${offer.data === undefined ? '' : ` to ${offer.data.organization.name}`}`}>
      <FormFailure of={failure} />
      {needsSecondFactor ? (
        <SecondFactor after={enter} />
      ) : (
        <>
          <PasswordForm
            before={() => setFailure(undefined)}
            after={(needed) => (needed ? setNeedsSecondFactor(true) : enter())}
          />
          {(passkeys?.available || (offer.data?.providers.length ?? 0) > 0) && <Divider label="or" />}
          {passkeys?.available && (
            <Button
              variant="default"
              size="sm"
              leftSection={<IconFingerprint size={17} aria-hidden />}
              onClick={() => void withPasskey()}
            >
              Sign in with a passkey
            </Button>
          )}
          {offer.data?.providers.map(({ id, name }) => (
            <Button key={id} variant="default" size="sm" onClick={() => void withProvider(id)}>
              Sign in with {name}
            </Button>
          ))}
          {typeof passkeys?.reason === 'string' && (
            <Text size="sm" c="dimmed">
              {passkeys.reason}
            </Text>
          )}
        </>
      )}
    </SignInFrame>
  );
}
