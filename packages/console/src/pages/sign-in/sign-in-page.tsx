import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { api, get, ok } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useAddress } from '../../parts/address.ts';
import { providerFailure } from './provider-failure.ts';
import { returnAddress } from './return-address.ts';
import { signInSearch } from './search.ts';
import { SecondFactor, type Step } from './second-factor.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Password, passkey or identity provider; then the second factor; then back to where the person was. */
export function SignInPage() {
  const [at] = useAddress(signInSearch);
  const router = useRouter();
  const client = useQueryClient();
  const [second, setSecond] = useState(false);
  const [failure, setFailure] = useState(providerFailure(at.error));
  const [busy, setBusy] = useState(false);
  const offer = useQuery(get('/auth/'));
  const wanted = returnAddress(at.return);

  const enter = () => {
    client.clear();
    router.history.push(wanted);
  };
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(detailOf(error));
    } finally {
      setBusy(false);
    }
  };
  const withPasskey = () =>
    attempt(async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const optionsJSON = (await ok(
        api.POST('/auth/passkey-sign-in/options/'),
      )) as unknown as PublicKeyCredentialRequestOptionsJSON;
      const response = { ...(await startAuthentication({ optionsJSON })) };
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
      {failure !== undefined && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      {second ? (
        <SecondFactor attempt={attempt} busy={busy} entered={enter} />
      ) : (
        <>
          <Password attempt={attempt} busy={busy} entered={enter} second={() => setSecond(true)} />
          <Divider label="or" />
          <Button
            variant="default"
            size="sm"
            leftSection={<IconFingerprint size={17} aria-hidden />}
            onClick={() => void withPasskey()}
          >
            Sign in with a passkey
          </Button>
          {offer.data?.providers.map(({ id, name }) => (
            <Button key={id} variant="default" size="sm" onClick={() => void withProvider(id)}>
              Sign in with {name}
            </Button>
          ))}
        </>
      )}
    </SignInFrame>
  );
}

function Password({ attempt, busy, entered, second }: Step & { second: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const answer = await ok(api.POST('/auth/sign-in/', { body: { email, password } }));
      if (answer.second_factor === true) second();
      else entered();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={busy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
