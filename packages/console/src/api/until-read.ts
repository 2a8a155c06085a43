import { useEffect, useState } from 'react';
import { filesUnderWay } from '../kit/browser/files.ts';
import { queryClient } from './client.ts';

/** Parts that were just drawn or loaded begin their reads within this time. */
const BEGIN_MS = 20;

/** Resolves when a page has what it shows: files and figures that only add to it must not delay its content. */
export async function untilRead(): Promise<void> {
  do {
    await Promise.allSettled(filesUnderWay());
    await untilNothingIsFetched();
    await new Promise((resume) => setTimeout(resume, BEGIN_MS));
  } while (queryClient.isFetching() > 0 || filesUnderWay().size > 0);
}

async function untilNothingIsFetched(): Promise<void> {
  if (queryClient.isFetching() === 0) return;
  await new Promise<void>((resume) => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.isFetching() > 0) return;
      stop();
      resume();
    });
  });
}

/** Returns true as soon as a page has what it shows. */
export function useIsRead(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => void untilRead().then(() => setRead(true)), []);
  return isRead;
}
