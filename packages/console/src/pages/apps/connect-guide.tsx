import { Button, Loader, Select, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { CodeBlock } from '../../parts/code.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';
import classes from './connect-guide.module.css';

/** The connectors of this repository, and the settings that they cannot do without (docs/connectors.md). */
const connectors: Record<string, { name: string; folder: string; settings: readonly string[] }> = {
  csv: { name: 'CSV files', folder: 'connectors/csv', settings: ['CSV_ACCOUNTS=accounts.csv'] },
  linux: { name: 'The users of a Linux machine', folder: 'connectors/linux', settings: [] },
  postgres: {
    name: 'The roles of a PostgreSQL server',
    folder: 'connectors/postgres',
    settings: ['POSTGRES_URL=postgres://...'],
  },
  ldap: {
    name: 'An LDAP directory',
    folder: 'connectors/ldap',
    settings: [
      'LDAP_URL=ldaps://...',
      'LDAP_BIND_DN=cn=...',
      'LDAP_BIND_PASSWORD=...',
      'LDAP_USERS=ou=people,...',
      'LDAP_GROUPS=ou=groups,...',
    ],
  },
  scim: {
    name: 'An application with SCIM 2.0',
    folder: 'connectors/scim',
    settings: ['SCIM_URL=https://...', 'SCIM_TOKEN=...'],
  },
  own: { name: 'A connector of our own', folder: 'path/to/connector.ts', settings: [] },
};

const options = Object.entries(connectors).map(([value, { name }]) => ({ value, label: name }));

/** From an app without a sync to its first: a key, the command, and waiting for it to arrive. */
export function ConnectGuide({ app, arrived }: { app: App; arrived: boolean }) {
  const { me } = useMe();
  const [chosen, setChosen] = useState('csv');
  const key = useChange(
    () =>
      ok(
        api.POST('/api/api-keys/', {
          body: {
            name: `Connector of ${app.name}`.slice(0, 255),
            scopes: ['bridge', 'read'],
            apps: [app.external_uuid],
          },
        }),
      ),
    { said: 'Key created' },
  );
  const { folder = '', settings = [] } = connectors[chosen] ?? {};
  const command = [
    `export GATEHOUSE_URL=${me?.base_url ?? ''}`,
    `export GATEHOUSE_API_KEY=${key.data?.key ?? 'gh_...'}`,
    `export GATEHOUSE_APP=${app.external_uuid}`,
    ...settings.map((setting) => `export ${setting}`),
    `node packages/cli/src/main.ts sync ${folder}`,
  ].join('\n');
  return (
    <Section title="Connect it">
      <ol className={classes.steps}>
        <li>
          <h3>Give its connector a key</h3>
          {key.data === undefined ? (
            <>
              <Text size="sm" c="dimmed">
                A key for this app alone, that may push records and read them. It is shown once. Or use one
                that you{' '}
                <TextLink to="/settings/api-keys" underline="always">
                  have already
                </TextLink>
                .
              </Text>
              <Button mt="xs" loading={key.isPending} onClick={() => key.mutate(undefined)}>
                Create a key
              </Button>
            </>
          ) : (
            <>
              <Text size="sm" mb="xs">
                Keep it now: it is never shown again. It stands in the command below, too.
              </Text>
              <CodeBlock text={key.data.key} what="API key" />
            </>
          )}
        </li>
        <li>
          <h3>Run the first sync</h3>
          <Text size="sm" c="dimmed">
            In a checkout of Gatehouse, with Node.js 22.18 or newer. What stands as … is yours to fill in.
          </Text>
          <Select
            label="What holds the accounts"
            data={options}
            value={chosen}
            onChange={(value) => setChosen(value ?? 'csv')}
            allowDeselect={false}
            my="xs"
            maw={320}
          />
          <CodeBlock text={command} what="command" />
        </li>
        <li>
          <h3>Watch it arrive</h3>
          <Text size="sm" role="status" className={classes.waiting ?? ''}>
            {arrived ? (
              <>
                <IconCircleCheck size={16} aria-hidden /> Here it is: its counts are below.
              </>
            ) : (
              <>
                <Loader size={16} aria-hidden /> Waiting for the first session. This page shows it by itself.
              </>
            )}
          </Text>
        </li>
      </ol>
    </Section>
  );
}
