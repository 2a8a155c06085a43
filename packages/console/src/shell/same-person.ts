import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../api/me.ts';

/**
 * Asks the server who is signed in whenever someone returns to the page. If that is somebody else by now, or nobody, the page
 * says so before anyone acts on what it shows.
 */
export function useSamePerson(): void {
  const client = useQueryClient();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible')
        void client.invalidateQueries({ queryKey: meQuery.queryKey });
    };
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [client]);
}
