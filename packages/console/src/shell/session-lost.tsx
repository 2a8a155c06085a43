import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { base } from '../api/base.ts';
import { type Me, meQuery } from '../api/me.ts';
import { endSignIn, type SessionLoss } from '../api/session.ts';
import { lazyPart } from '../kit/controls/lazy-part.tsx';
import type { SignedIn } from './session-dialog.tsx';

export const SessionDialog = lazyPart(async () => (await import('./session-dialog.tsx')).SessionDialog);

/** Waits until the page's person is signed in again, also if the file of the dialog is missing: they can sign in in another tab. */
export function SessionLost({ why }: { why: SessionLoss }) {
  const me = useQueryClient().getQueryData<Me>(meQuery.queryKey);
  return <SessionDialog {...useSignedIn(me, why)} />;
}

/** Follows who is signed in. Repeats the failed requests as soon as it is the page's person. */
function useSignedIn(me: Me | undefined, why: SessionLoss): { now: SignedIn; look: () => void } {
  const [now, setNow] = useState<SignedIn>(why === 'taken' ? undefined : null);
  const look = useCallback(async () => {
    const found = await readSignedIn();
    if (found === undefined) return;
    if (found !== null && found.external_uuid === me?.external_uuid) endSignIn(true);
    else setNow(found);
  }, [me]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a request that was refused for another reason is news.
  useEffect(() => {
    void look();
    // Someone who signed in in another tab returns.
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [look, why]);
  return { now, look: () => void look() };
}

/** Returns null if nobody is signed in, and undefined if the server does not say. Names no person, unlike other requests. */
async function readSignedIn(): Promise<Me | null | undefined> {
  const response = await fetch(`${base}/api/me/`).catch(() => undefined);
  if (response?.status === 401) return null;
  return response?.ok === true ? ((await response.json()) as Me) : undefined;
}
