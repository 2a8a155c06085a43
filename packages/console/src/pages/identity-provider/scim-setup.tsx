import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import {
  type CreatedKey,
  createKey,
  EXPIRIES,
  expiryIn,
  keyField,
  SaveKey,
} from '../../api-keys/created-key.tsx';
import { DialogForm } from '../../kit/controls/dialog-form.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { select } from '../../kit/form/choice-fields.tsx';
import { FieldsRow, useFields } from '../../kit/form/fields.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import { PRODUCT } from './products.ts';
import type { ProductId } from './search.ts';
import { Begin, Notes, Step, Steps, ToCopy } from './steps.tsx';

/** Lets a product keep people and groups up to date: makes its key, and shows what to enter and how to map attributes. */
export function ScimSetup({ product }: { product: ProductId }) {
  const { me } = useMe();
  const [created, setCreated] = useState<CreatedKey>();
  const { name, scim } = PRODUCT[product];
  if (typeof scim === 'string') return <Text size="sm">{scim}</Text>;
  const { at, choose, enter, key, mapping, notes } = scim;
  return (
    <Steps>
      <Step title={t`Create the key`}>
        <Text size="sm">
          {t`The key can manage people and groups over SCIM, and nothing else. It acts for you: only a key of an owner can manage owners.`}
        </Text>
        {created === undefined ? (
          <KeyForm name={product === 'other' ? '' : name} after={setCreated} />
        ) : (
          <SaveKey of={created} />
        )}
      </Step>
      <Step title={t`Enter these values there`}>
        <Begin at={at} choose={choose} />
        <ToCopy of={enter(`${me?.base_url ?? ''}/scim/v2`)} />
        <Properties of={[[key, <KeyWords key="key" product={product} />]]} />
        <Notes of={notes} />
      </Step>
      <Step title={t`Map the attributes`}>
        <ToCopy of={mapping} />
      </Step>
      <Step title={t`Test with one person`}>
        <Text size="sm">
          {t`Assign one person, and look for them under People. Then assign everybody else.`}
        </Text>
        {created !== undefined && <LastRequest id={created.id} />}
      </Step>
    </Steps>
  );
}

/** Shows the form of the key in the field. */
function KeyWords({ product }: { product: ProductId }) {
  // oxlint-disable-next-line lingui/no-unlocalized-strings -- the form of the header is part of the protocol.
  return product === 'other' ? <code>{'Bearer <API_KEY>'}</code> : t`The key of the first step`;
}

function KeyForm({ name, after }: { name: string; after: (key: CreatedKey) => void }) {
  const fields = {
    name: { ...text({ label: t`Name of the key`, required: true, maxLength: 255 }), initial: name },
    expiry: select({
      label: t`Expires`,
      data: [EXPIRIES[90], EXPIRIES[365], EXPIRIES.never],
      initial: '365',
    }),
  };
  const form = useFields(fields, {
    fieldOf: keyField,
    send: ({ name: chosen, expiry }) =>
      createKey({ name: chosen, scopes: ['scim'], apps: null, expires_at: expiryIn(expiry) }),
    after,
  });
  return (
    <DialogForm {...form} action={t`Create key`}>
      <FieldsRow of={form} only={['name', 'expiry']} />
    </DialogForm>
  );
}

/** Shows when the provider last used the key, as soon as it has. */
function LastRequest({ id }: { id: string }) {
  const { data } = useQuery({
    ...get('/api/scim-clients/', { query: { limit: 200 } }),
    refetchInterval: 5_000,
  });
  const client = data?.results.find(({ key }) => key.id === id);
  return (
    <Properties
      of={[
        [
          t`Last request`,
          client?.last_request_at == null ? (
            t`No request yet`
          ) : (
            <Moment key="last" at={client.last_request_at} />
          ),
        ],
      ]}
    />
  );
}
