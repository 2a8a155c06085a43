import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { issuerOf, PROTOCOL_NAMES, type Provider } from './provider.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { identityProviderSearch } from './search.ts';

/** The providers through which people can sign in. */
export function Providers() {
  const [at, go] = useAddress(identityProviderSearch);
  const opened = useQuery({
    ...get('/api/sign-in-providers/{provider}/', { path: { provider: at.provider ?? '' } }),
    enabled: at.provider !== undefined,
  });
  const columns: Column<Provider>[] = [
    column.title('name', t`Name`),
    column.code('type', t`Type`, PROTOCOL_NAMES),
    column.text('of', t`Issuer`, issuerOf),
    column.cell('domains', t`Email domains`, ({ email_domains }) =>
      email_domains.length === 0 ? t`All` : email_domains.join(', '),
    ),
    column.cell('owners', t`Owners`, ({ approved_for_owners }) =>
      approved_for_owners ? t`Can sign in` : t`Cannot sign in`,
    ),
    column.moment('created_at', t`Added`),
    column.cell('open', t`Actions`, ({ id, name }) => (
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t`Open ${name}`}
        onClick={() => go({ provider: id, page: at.page })}
      >
        <Trans context="verb">Open</Trans>
      </Button>
    )),
  ];
  return (
    <Section title={t`Sign-in`}>
      <ListTable
        address={[at, go]}
        label={t`Sign-in providers`}
        counted={(n) => plural(n, { one: '# provider', other: '# providers' })}
        list={list('/api/sign-in-providers/')}
        columns={columns}
        empty={{
          title: t`No providers yet`,
          text: t`People sign in with a password or a passkey.`,
        }}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {t`Only people in Gatehouse can sign in. A provider does not create people; it identifies them by email address. Only owners can add, change and remove providers. To help someone without a password, create a one-time link on their page.`}
      </Text>
      {opened.data !== undefined && at.provider === opened.data.id && (
        <ProviderDialog
          key={opened.data.id}
          of={opened.data}
          close={() => go({ provider: undefined, page: at.page })}
        />
      )}
    </Section>
  );
}
