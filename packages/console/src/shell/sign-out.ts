import { api, ok } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { forgetEmail } from '../pages/sign-in/last-email.ts';
import { consolePath } from './console-path.ts';
import { forgetRecent } from './find-recent.ts';

/** Returns the function that ends the session and opens the sign-in page. */
export function useSignOut() {
  const { me } = useMe();
  return async () => {
    await ok(api.POST('/auth/sign-out/'));
    forgetEmail();
    if (me !== undefined) forgetRecent(me.external_uuid);
    // Leaving the document forgets all that the person has seen. No page is left to ask for more.
    location.assign(`${consolePath}/sign-in`);
    await new Promise(() => {});
  };
}
