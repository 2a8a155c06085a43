import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { nameColumn } from '../../kit/table/name-column.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import type { Provider } from './provider.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { signInSettingsSearch } from './search.ts';

const KINDS = { oidc: 'OpenID Connect', saml: 'SAML' }; // oxlint-disable-line lingui/no-unlocalized-strings
const ADD = { oidc: t`Add OpenID Connect provider`, saml: t`Add SAML provider` };

/** The identity providers through which people can sign in. */
export function SignInSettingsPage() {
  const [at, go] = useAddress(signInSettingsSearch);
  const { owns } = useMe();
  const opened = useQuery({
    ...get('/api/sign-in-providers/{provider}/', { path: { provider: at.provider ?? '' } }),
    enabled: at.provider !== undefined,
  });
  const columns: Column<Provider>[] = [
    nameColumn(),
    { id: 'type', header: t`Type`, cell: ({ type }) => KINDS[type] },
    { id: 'of', header: t`Issuer`, cell: ({ oidc, saml }) => oidc?.issuer ?? saml?.entity_id ?? '' },
    {
      id: 'domains',
      header: t`Email domains`,
      cell: ({ email_domains }) => (email_domains.length === 0 ? t`All` : email_domains.join(', ')),
    },
    {
      id: 'owners',
      header: t`Owners`,
      cell: ({ approved_for_owners }) => (approved_for_owners ? t`Can sign in` : t`Cannot sign in`),
    },
    { id: 'created_at', header: t`Added`, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      id: 'open',
      header: t`Actions`,
      cell: ({ id, name }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={t`Open ${name}`}
          onClick={() => go({ provider: id, page: at.page })}
        >
          <Trans context="verb">Open</Trans>
        </Button>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title={t`Sign-in`}
        about={t`People sign in with a password, a passkey or through an identity provider.`}
        actions={
          owns && (
            <Group gap="xs">
              {(['oidc', 'saml'] as const).map((kind) => (
                <Button
                  key={kind}
                  variant={kind === 'oidc' ? 'filled' : 'default'}
                  leftSection={<IconPlus size={15} aria-hidden />}
                  onClick={() => go({ new: kind })}
                >
                  {ADD[kind]}
                </Button>
              ))}
            </Group>
          )
        }
      />
      <Section title={t`Identity providers`}>
        <DataTable
          label={t`Sign-in providers`}
          counted={(n) => plural(n, { one: '# provider', other: '# providers' })}
          list={list('/api/sign-in-providers/')}
          columns={columns}
          rowId={({ id }) => id}
          page={at.page}
          onPage={(page) => go({ page })}
          empty={
            <Empty title={t`No providers yet`}>
              <Trans>
                Add Keycloak, Entra ID, Okta, Google Workspace or another provider to let people sign in with
                it.
              </Trans>
            </Empty>
          }
        />
      </Section>
      <Text size="sm" c="dimmed">
        <Trans>
          Only people in Gatehouse can sign in. A provider does not create people; it identifies them by email
          address. Only owners can add, change and remove providers. To help someone without a password,
          create a one-time link on their page.
        </Trans>
      </Text>
      {owns && at.new !== undefined && (
        <ProviderDialog key={at.new} kind={at.new} close={() => go({ new: undefined })} />
      )}
      {opened.data !== undefined && at.provider === opened.data.id && (
        <ProviderDialog
          key={opened.data.id}
          kind={opened.data.type}
          of={opened.data}
          close={() => go({ provider: undefined })}
        />
      )}
    </>
  );
}
