import { t } from '@lingui/core/macro';
import { api, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch, versionOf } from '../../api/version.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { changesIn } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import type { Provider } from './provider.ts';
import {
  ACCESS,
  changeOf,
  FIELDS,
  FROM_PROVIDER,
  fieldOf,
  METADATA_WORDS,
  OIDC,
  SAML,
} from './provider-fields.ts';

/** A provider set up with entity ID, URL and certificate keeps them until someone enters its metadata. */
const isManual = ({ saml }: Provider) => saml !== null && saml.idp_metadata === null;

/** Changes a provider. */
export function ProviderForm({ of, after }: { of: Provider; after: () => void }) {
  const { owns } = useMe();
  const kind = of.type;
  const form = useFields(FIELDS, {
    of,
    read: () => load('/api/sign-in-providers/{provider}/', { path: { provider: of.id } }),
    from: (provider: Provider) => ({ ...provider, ...provider.oidc, ...provider.saml }),
    fieldOf,
    send: (body, { version, values, before }): Promise<Provider> => {
      const isUnchanged =
        version === versionOf(of) &&
        Object.keys(changesIn(kind === 'oidc' ? OIDC : SAML, values, before)).length === 0;
      return ok(
        api.PATCH('/api/sign-in-providers/{provider}/', {
          params: { path: { provider: of.id }, header: ifMatch(version) },
          body: changeOf(body, of, isUnchanged),
        }),
      );
    },
    locked: !owns,
    success: ({ name }) => t`${name} was saved`,
    after,
  });
  return (
    <DialogForm {...form} action={t`Save changes`}>
      <Fields of={form} only={['name']} />
      <Fields
        of={form}
        only={FROM_PROVIDER[kind]}
        props={{
          client_secret: { description: t`Leave empty to keep the current secret.` },
          idp_metadata: {
            description: isManual(of)
              ? t`Leave empty to keep the current entity ID, URL and certificate.`
              : METADATA_WORDS,
            required: !isManual(of),
          },
        }}
      />
      <Fields of={form} only={ACCESS[kind]} />
    </DialogForm>
  );
}
