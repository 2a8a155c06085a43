import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Fields, FieldsRow, useFields } from '../../kit/form/fields.tsx';
import { addressesOf } from './addresses.ts';
import { PRODUCT } from './products.ts';
import type { Provider } from './provider.ts';
import { ACCESS, FIELDS, FROM_PROVIDER, fieldOf, METADATA_WORDS, newOf } from './provider-fields.ts';
import { ProviderSetup } from './provider-setup.tsx';
import type { ProductId, Protocol } from './search.ts';
import { Begin, Step, Steps } from './steps.tsx';

const PROVIDER_ID = /^[a-z0-9][a-z0-9-]*$/;

/** Returns the first free ID: "okta", "okta-2". */
function freeId(wanted: string, taken: readonly string[]): string {
  let id = wanted;
  for (let number = 2; taken.includes(id); number++) id = `${wanted}-${number}`;
  return id;
}

function fieldsFor(product: ProductId, protocol: Protocol, taken: readonly string[]) {
  const { name, id, [protocol]: registration } = PRODUCT[product];
  const { issuer = '', email_attribute = '' } = registration.known ?? {};
  return {
    ...FIELDS,
    name: { ...FIELDS.name, initial: product === 'other' ? '' : name },
    id: { ...FIELDS.id, initial: freeId(id, taken) },
    issuer: { ...FIELDS.issuer, initial: issuer },
    email_attribute: { ...FIELDS.email_attribute, initial: email_attribute },
  };
}

interface Props {
  product: ProductId;
  protocol: Protocol;
  /** The IDs of existing providers. */
  taken: readonly string[];
  after: (provider: Provider) => void;
}

/** Adds a sign-in provider: shows what to enter in the product, and asks for what the product shows in return. */
export function NewProvider({ product, protocol, taken, after }: Props) {
  const { me } = useMe();
  const form = useFields(fieldsFor(product, protocol, taken), {
    fieldOf,
    send: (body): Promise<Provider> =>
      ok(api.POST('/api/sign-in-providers/', { body: newOf(protocol, body) })),
    success: ({ name }) => t`${name} was saved`,
    after,
  });
  const { name, [protocol]: registration } = PRODUCT[product];
  const { at, choose, shows, issuer } = registration;
  const { id } = form.values;
  const found = (place: string | undefined) =>
    place === undefined ? {} : { description: t`In ${name}: ${place}` };
  return (
    <DialogForm {...form} action={t`Add provider`}>
      <Steps>
        <Step title={t`Choose a name`}>
          <FieldsRow of={form} only={['name', 'id']} />
        </Step>
        {(at !== undefined || choose.length > 0) && (
          <Step title={t`Create the application in ${name}`}>
            <Begin at={at} choose={choose} />
          </Step>
        )}
        <Step title={t`Enter these values there`}>
          {PROVIDER_ID.test(id) && (
            <ProviderSetup
              product={product}
              protocol={protocol}
              addresses={addressesOf(protocol, me?.base_url ?? '', id)}
            />
          )}
        </Step>
        <Step title={t`Bring these values back`}>
          <Fields
            of={form}
            only={FROM_PROVIDER[protocol]}
            props={{
              issuer: { ...found(shows.issuer), placeholder: issuer ?? '' },
              client_id: found(shows.client_id),
              client_secret: {
                description: t`Stored encrypted and never shown again.`,
                ...found(shows.client_secret),
                required: true,
              },
              idp_metadata: {
                description: METADATA_WORDS,
                ...found(shows.idp_metadata),
                required: true,
              },
            }}
          />
        </Step>
        <Step title={t`Decide who may sign in`}>
          <Fields of={form} only={ACCESS[protocol]} />
        </Step>
      </Steps>
    </DialogForm>
  );
}
