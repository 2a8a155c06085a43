import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Loader, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { createKey, SaveKey } from '../../api-keys/created-key.tsx';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconCircleCheck } from '../../kit/icons/icons.ts';
import { save } from '../../kit/text/csv.ts';
import type { App } from './app.ts';
import classes from './connect-guide.module.css';

/** The connectors in this repository with their required settings (docs/guides/connectors.md). */
const CONNECTORS: Record<string, { name: string; folder: string; settings: Record<string, string> }> = {
  csv: { name: t`CSV files`, folder: 'connectors/csv', settings: { CSV_ACCOUNTS: 'accounts.csv' } },
  linux: { name: t`Linux users`, folder: 'connectors/linux', settings: {} },
  postgres: {
    name: t`PostgreSQL roles`,
    folder: 'connectors/postgres',
    settings: { POSTGRES_URL: 'postgres://...' },
  },
  ldap: {
    name: t`LDAP directory`,
    folder: 'connectors/ldap',
    settings: {
      LDAP_URL: 'ldaps://...',
      LDAP_BIND_DN: 'cn=...',
      LDAP_BIND_PASSWORD: '...',
      LDAP_USERS: 'ou=people,...',
      LDAP_GROUPS: 'ou=groups,...',
    },
  },
  scim: {
    name: t`SCIM 2.0 app`,
    folder: 'connectors/scim',
    settings: { SCIM_URL: 'https://...', SCIM_TOKEN: '...' },
  },
  own: { name: t`Your own connector`, folder: 'path/to/connector.ts', settings: {} },
};

const options = Object.entries(CONNECTORS).map(([value, { name }]) => ({ value, label: name }));

const EXAMPLE = [
  'id,email,first_name,last_name,status,groups',
  // oxlint-disable-next-line lingui/no-unlocalized-strings -- the connector reads these lines.
  '1001,grace@example.com,Grace,Hopper,active,Engineering;Administrators',
  // oxlint-disable-next-line lingui/no-unlocalized-strings
  '1002,ada@example.com,Ada,Lovelace,suspended,Engineering',
].join('\r\n');

/** The columns that the CSV connector reads (connectors/csv). */
function CsvColumns() {
  return (
    <Text size="sm" mb="xs" component="div">
      <Trans>
        The first line of the file names the columns. Only <code>id</code> is required; <code>email</code>,{' '}
        <code>username</code>, <code>first_name</code>, <code>last_name</code>, <code>display_name</code>,{' '}
        <code>status</code> (active or suspended), <code>groups</code> and <code>licenses</code> are optional.
        Separate several groups or licenses with a semicolon.{' '}
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => save('accounts.csv', `${EXAMPLE}\r\n`, 'text/csv')}
        >
          Download template
        </Anchor>
      </Trans>
    </Text>
  );
}

/** Leads from a new app to its first sync: create an API key, run the command, wait for the session. */
export function ConnectGuide({ app, arrived }: { app: App; arrived: boolean }) {
  const { me } = useMe();
  const { name: appName } = app;
  const [chosen, setChosen] = useState('csv');
  const key = useChange(
    () =>
      createKey({
        name: t`Connector of ${appName}`.slice(0, 255),
        scopes: ['bridge', 'read'],
        apps: [app.external_uuid],
      }),
    { success: t`Key created` },
  );
  const { folder = '', settings = {} } = CONNECTORS[chosen] ?? {};
  const variables = {
    GATEHOUSE_URL: me?.base_url ?? '',
    GATEHOUSE_API_KEY: key.data?.key ?? 'gh_...',
    GATEHOUSE_APP: app.external_uuid,
    ...settings,
  };
  const command = [
    ...Object.entries(variables).map((variable) => `export ${variable.join('=')}`),
    ['sh', 'scripts/run', 'packages/cli/src/main.ts', 'sync', folder].join(' '),
  ].join('\n');
  return (
    <Section title={t`Connect the app`}>
      <ol className={classes.steps}>
        <li>
          <h3>{t`Create an API key`}</h3>
          {key.data === undefined ? (
            <>
              <Text size="sm" c="dimmed">
                <Trans>
                  The key is limited to this app and is shown only once. You can also use an{' '}
                  <TextLink to="/settings/api-keys" underline="always">
                    existing key
                  </TextLink>
                  .
                </Trans>
              </Text>
              <Button mt="xs" loading={key.isPending} onClick={() => key.mutate(undefined)}>
                {t`Create API key`}
              </Button>
            </>
          ) : (
            <>
              <SaveKey of={key.data} />
              <Text size="sm" c="dimmed">
                {t`The command below contains it, too.`}
              </Text>
            </>
          )}
        </li>
        <li>
          <h3>{t`Run the first sync`}</h3>
          <Text size="sm" c="dimmed">
            <Trans>
              Run this in the folder of Gatehouse&apos;s source code. Replace each … with your own value.
            </Trans>
          </Text>
          <Select
            label={t`Connector`}
            data={options}
            value={chosen}
            onChange={(value) => setChosen(value ?? 'csv')}
            allowDeselect={false}
            my="xs"
            maw={320}
          />
          {chosen === 'csv' && <CsvColumns />}
          <CodeBlock text={command} what={t`command`} />
        </li>
        <li>
          <h3>{t`Wait for the first session`}</h3>
          <Text size="sm" role="status" className={classes.waiting ?? ''}>
            {arrived ? (
              <>
                <IconCircleCheck size={16} aria-hidden />{' '}
                {t`The first session has started. Its progress is below.`}
              </>
            ) : (
              <>
                <Loader size={16} aria-hidden />{' '}
                {t`Waiting for the first session. This page updates automatically.`}
              </>
            )}
          </Text>
        </li>
      </ol>
    </Section>
  );
}
