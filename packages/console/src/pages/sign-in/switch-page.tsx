import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api, get, ok, useChange } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { returnAddress } from './return-address.ts';
import { switchSearch } from './search.ts';
import { SignInFrame } from './sign-in-frame.tsx';

type Somebody = Answer<'/auth/waiting/'>['person'];

const nameOf = ({ first_name, last_name, email }: Somebody) => `${first_name} ${last_name}`.trim() || email;

/** Names can be longer than a line of a button. */
const LONG = { h: 'auto', mih: 36, py: 6, styles: { label: { whiteSpace: 'normal' } } } as const;

/** Asks before a sign-in through a provider replaces the session of somebody else. */
export function SwitchPage() {
  const [at] = useAddress(switchSearch);
  const client = useQueryClient();
  const waiting = useQuery(get('/auth/waiting/'));
  // The path is complete: it may be one of another organization's console, so the page loads again.
  const leave = (path: string) => {
    client.clear();
    location.assign(path);
  };
  const accept = useChange(() => ok(api.POST('/auth/waiting/')), {
    after: () => leave(returnAddress(at.return)),
  });
  const decline = useChange(() => ok(api.DELETE('/auth/waiting/')), {
    after: () => leave(returnAddress(at.return)),
  });
  if (waiting.isError && !(waiting.error instanceof ApiError && waiting.error.status === 404))
    return (
      <SignInFrame title={t`Sign in`}>
        <Failure error={waiting.error} again={() => void waiting.refetch()} />
      </SignInFrame>
    );
  if (waiting.isError)
    return (
      <SignInFrame title={t`Nothing to continue`}>
        <Text size="sm">{t`This sign-in is already complete, or took too long. Sign in again.`}</Text>
        <ButtonLink to="/sign-in" variant="default">
          {t`Go to sign-in`}
        </ButtonLink>
      </SignInFrame>
    );
  if (waiting.data === undefined) return null;
  const { person, signed_in } = waiting.data;
  const name = nameOf(person);
  const current = signed_in === null ? '' : nameOf(signed_in);
  return (
    <SignInFrame title={t`Continue as ${name}?`}>
      <FormFailure of={accept.error?.message ?? decline.error?.message} />
      {signed_in !== null && (
        <Text size="sm">
          <Trans>
            You are signed in as <Named of={signed_in} />. The provider has now signed in{' '}
            <Named of={person} />. If you continue, the other session ends, also in other tabs of this
            browser.
          </Trans>
        </Text>
      )}
      <Stack gap="xs">
        <Button {...LONG} size="sm" loading={accept.isPending} onClick={() => accept.mutate(undefined)}>
          {t`Continue as ${name}`}
        </Button>
        {signed_in !== null && (
          <Button
            {...LONG}
            size="sm"
            variant="default"
            loading={decline.isPending}
            onClick={() => decline.mutate(undefined)}
          >
            {t`Stay signed in as ${current}`}
          </Button>
        )}
      </Stack>
    </SignInFrame>
  );
}

function Named({ of }: { of: Somebody }) {
  return <bdi translate="no">{nameOf(of) === of.email ? of.email : `${nameOf(of)} (${of.email})`}</bdi>;
}
