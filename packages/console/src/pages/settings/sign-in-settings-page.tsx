import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
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
    column.title('name', t`Name`),
    column.code('type', t`Type`, KINDS),
    column.text('of', t`Issuer`, ({ oidc, saml }) => oidc?.issuer ?? saml?.entity_id),
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
        <ListTable
          address={[at, go]}
          label={t`Sign-in providers`}
          counted={(n) => plural(n, { one: '# provider', other: '# providers' })}
          list={list('/api/sign-in-providers/')}
          columns={columns}
          empty={{
            title: t`No providers yet`,
            text: t`Add Keycloak, Entra ID, Okta, Google Workspace or another provider to let people sign in with it.`,
          }}
        />
      </Section>
      <Text size="sm" c="dimmed">
        {t`Only people in Gatehouse can sign in. A provider does not create people; it identifies them by email address. Only owners can add, change and remove providers. To help someone without a password, create a one-time link on their page.`}
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
