import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { forgetRecent } from './find-recent.ts';

/** Returns the function that ends the session and opens the sign-in page. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { me } = useMe();
  return async () => {
    await ok(api.POST('/auth/sign-out/'));
    if (me !== undefined) forgetRecent(me.external_uuid);
    client.clear();
    await navigate({ to: '/sign-in' });
  };
}
