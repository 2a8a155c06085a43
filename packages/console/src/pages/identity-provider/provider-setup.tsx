import { t } from '@lingui/core/macro';
import { Alert, Stack } from '@mantine/core';
import type { Addresses } from './addresses.ts';
import { PRODUCT } from './products.ts';
import type { ProductId, Protocol } from './search.ts';
import { Notes, ToCopy } from './steps.tsx';

interface Props {
  product: ProductId;
  protocol: Protocol;
  addresses: Addresses;
}

/** Shows the values to enter at the provider, under the names of its own form. */
export function ProviderSetup({ product, protocol, addresses }: Props) {
  const { enter, notes } = PRODUCT[product][protocol];
  return (
    <Stack gap="sm">
      <ToCopy of={enter(addresses)} />
      <Notes of={notes} />
      {addresses.start_url === null && (
        <Alert color="yellow">
          {t`Gatehouse does not know the address under which people reach it. Ask the operator to set GATEHOUSE_PUBLIC_URL.`}
        </Alert>
      )}
    </Stack>
  );
}
