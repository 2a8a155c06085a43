import { t } from '@lingui/core/macro';
import { Alert, Button, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { keep, readKept } from '../../kit/browser/kept.ts';

const KEY = 'gatehouse-from-provider';
const ONCE_IN_MS = 60_000;

/**
 * Goes on to an ordinary sign-in after a portal's tile opened Gatehouse. Only once in a minute: a provider that responds to each
 * sign-in without a request would otherwise send the browser around in a circle.
 */
export function FromProvider({ name, start }: { name: string; start: () => void }) {
  const [isCircle] = useState(() => Date.now() - (readKept<number>(KEY, 'tab') ?? 0) < ONCE_IN_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts once, when the page opens.
  useEffect(() => {
    if (isCircle) return;
    keep(KEY, Date.now(), 'tab');
    start();
  }, []);
  return (
    <Alert color={isCircle ? 'red' : 'blue'} role={isCircle ? 'alert' : 'status'}>
      <Stack gap="sm" align="flex-start">
        {isCircle
          ? t`${name} again sent a response that Gatehouse did not request. Ask an administrator to enter the address for a portal's tile at the provider.`
          : t`You came from a portal. Gatehouse now signs you in with ${name}.`}
        <Button size="sm" onClick={start}>
          {t`Continue with ${name}`}
        </Button>
      </Stack>
    </Alert>
  );
}
