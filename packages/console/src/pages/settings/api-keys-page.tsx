import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { organizationSlug } from '../../api/base.ts';
import { api, type Item, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppName } from '../../apps/app-name.tsx';
import { ActionButton, IN_ROW } from '../../kit/action/action-button.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Copied } from '../../kit/controls/copy.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { PersonName } from '../../people/person.tsx';
import { personIdColumn } from '../../people/person-columns.tsx';
import { NewKey } from './new-key.tsx';
import { apiKeysSearch } from './search.ts';
import { TransferKey } from './transfer-key.tsx';

/** The form of the header is part of the protocol. */
const HEADER = 'Authorization: Api-Key <API_KEY>'; // oxlint-disable-line lingui/no-unlocalized-strings

type ApiKey = Item<'/api/api-keys/'>;

/** A key that has not ended works while its person is active. */
const hasEnded = ({ revoked_at, expires_at }: ApiKey) =>
  revoked_at !== null || (expires_at !== null && new Date(expires_at) <= new Date());

function KeyStatus({ of: key }: { of: ApiKey }) {
  if (key.revoked_at !== null) return <Status of="revoked" look="idle" word={t`Revoked`} />;
  if (hasEnded(key)) return <Status of="expired" look="idle" word={t`Expired`} />;
  if (!key.live) return <Status of="inactive" look="idle" word={t`Person deactivated`} />;
  return <Status of="active" look="good" word={t`Active`} />;
}

function KeyApps({ apps }: { apps: string[] | null }) {
  if (apps === null) return t`All apps`;
  return apps.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <AppName id={id} />
    </span>
  ));
}

const columns: Column<ApiKey>[] = [
  column.title('name', t`Name`),
  column.cell('status', t`Status`, { csv: ({ live }) => (live ? 'active' : 'inactive') }, (key) => (
    <KeyStatus of={key} />
  )),
  column.text('scopes', t`Scopes`, ({ scopes }) => scopes.join(', '), {
    csv: ({ scopes }) => scopes.join(' '),
  }),
  column.cell('apps', t`Apps`, { csv: ({ apps }) => apps?.join(' ') ?? 'all' }, ({ apps }) => (
    <KeyApps apps={apps} />
  )),
  personIdColumn('user', t`Acts for`, { none: t`Nobody` }),
  column.moment('created_at', t`Created`),
  column.moment('expires_at', t`Expires`),
  column.moment('last_used_at', t`Last used`),
  column.cell(
    'actions',
    t`Actions`,
    (key) =>
      !hasEnded(key) && (
        <Group gap={4} wrap="nowrap">
          <Transfer of={key} />
          <Revoke of={key} />
        </Group>
      ),
  ),
];

/** Lists API keys, with the slug and base_url that a connector also needs (protocol 5). */
export function ApiKeysPage() {
  const [at, go] = useAddress(apiKeysSearch);
  const { me, manages } = useMe();
  return (
    <>
      <PageHeader
        title={t`API keys`}
        about={t`Connectors, scripts and monitoring systems authenticate with API keys.`}
        actions={
          manages && (
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => go({ new: true })}>
              {t`Create API key`}
            </Button>
          )
        }
      />
      <Section title={t`Connection details`}>
        <Properties
          of={[
            [
              t`Organization slug`,
              <Copied key="slug" value={organizationSlug} what={t`organization slug`} />,
            ],
            ['base_url', <Copied key="base" value={me?.base_url ?? ''} what="base_url" />],
            [t`Header`, <code key="header">{HEADER}</code>],
          ]}
        />
      </Section>
      <Section title={t`API keys`}>
        {at.user !== undefined && (
          <Group gap="xs" mb="sm">
            <Text size="sm">
              <Trans>
                Keys that act for <PersonName id={at.user} />
              </Trans>
            </Text>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => go({ user: undefined, page: undefined })}
            >
              {t`Show all keys`}
            </Button>
          </Group>
        )}
        <ListTable
          address={[at, go]}
          label={t`API keys`}
          counted={(n) => plural(n, { one: '# key', other: '# keys' })}
          list={list('/api/api-keys/', { query: { user: at.user } })}
          columns={columns}
          csv="api-keys"
          empty={{ title: t`No API keys yet`, text: t`A connector needs an API key to push records.` }}
        />
      </Section>
      {at.new === true && manages && <NewKey close={() => go({ new: undefined })} />}
      {at.transfer !== undefined && manages && (
        <TransferKey id={at.transfer} user={at.user} close={() => go({ transfer: undefined })} />
      )}
    </>
  );
}

function Transfer({ of: { id, name } }: { of: ApiKey }) {
  const [, go] = useAddress(apiKeysSearch);
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      aria-label={t`Transfer ${name}`}
      onClick={() => go({ transfer: id })}
    >
      {t`Transfer`}
    </Button>
  );
}

function Revoke({ of: { id, name } }: { of: ApiKey }) {
  return (
    <ActionButton
      {...IN_ROW}
      label={t`Revoke`}
      fullLabel={t`Revoke ${name}`}
      of={{
        title: t`Revoke ${name}?`,
        sentence: t`All requests with this key will fail. This cannot be undone.`,
        button: t`Revoke key`,
        type: name,
        request: () => ok(api.DELETE('/api/api-keys/{key_id}/', { params: { path: { key_id: id } } })),
        message: t`${name} was revoked`,
      }}
    />
  );
}
