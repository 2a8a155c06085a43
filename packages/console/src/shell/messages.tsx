import { useNotifications } from '@mantine/notifications';
import { useState } from 'react';
import { lazyPart } from '../kit/controls/lazy-part.tsx';

export const Notices = lazyPart(async () => (await import('./notices.tsx')).Notices);

/** The messages at the corner of the window, which need much code: they wait in their store until it is loaded. */
export function Messages() {
  const isWaiting = useNotifications().notifications.length > 0;
  const [isUsed, setUsed] = useState(false);
  if (isWaiting && !isUsed) setUsed(true);
  return isUsed && <Notices />;
}
