import { useEffect, useState } from 'react';
import { queryClient } from './client.ts';

/** Resolves when nothing is being read: files and figures that only decorate a page must not delay its content. */
export async function untilRead(): Promise<void> {
  // Parts that are drawn together with the caller begin their reads first.
  await new Promise((resume) => setTimeout(resume));
  const isRead = () => queryClient.isFetching() === 0;
  if (isRead()) return;
  await new Promise<void>((resume) => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (!isRead()) return;
      stop();
      resume();
    });
  });
}

/** Returns true as soon as nothing is being read. */
export function useIsRead(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => void untilRead().then(() => setRead(true)), []);
  return isRead;
}
