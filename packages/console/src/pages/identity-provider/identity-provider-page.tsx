import { t } from '@lingui/core/macro';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Providers } from './providers.tsx';
import { ScimClients } from './scim-clients.tsx';
import { identityProviderSearch } from './search.ts';
import { Setup } from './setup.tsx';

/** Identity providers: how people sign in through them, and the people and groups that they keep up to date. */
export function IdentityProviderPage() {
  const [at, go] = useAddress(identityProviderSearch);
  const { manages } = useMe();
  return (
    <>
      <PageHeader
        title={t`Identity provider`}
        about={t`People sign in through an identity provider, and it keeps people and groups up to date (SCIM).`}
      />
      {manages && <Setup at={at} go={go} />}
      <Providers />
      <ScimClients />
    </>
  );
}
