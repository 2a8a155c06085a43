import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../../api/me.ts';
import { CodeBlock } from '../../../parts/code.tsx';
import { Section } from '../../../parts/section.tsx';
import classes from './connection.module.css';
import { type Connector, changeConnector } from './connector.ts';
import { ConnectorForm } from './connector-form.tsx';
import { type Checked, DefinitionEditor } from './definition-field.tsx';
import { settingsOf } from './setting.ts';

/** Changes the definition, the settings and the secrets of a connector. */
export function ConnectorSettings({ appId, connector }: { appId: string; connector: Connector }) {
  const { manages } = useMe();
  const [checked, setChecked] = useState<Checked>();
  const [editing, setEditing] = useState(false);
  const isNew = checked !== undefined && checked.definition !== connector.definition;
  return (
    <Section title="Settings">
      {connector.definition !== null && !editing && (
        <>
          <CodeBlock text={checked?.definition ?? connector.definition} what="definition" />
          {manages && (
            <Group my="sm">
              <Button variant="default" onClick={() => setEditing(true)}>
                Edit definition
              </Button>
              {isNew && <Text size="sm">The changed definition is valid. Save it with the settings.</Text>}
            </Group>
          )}
        </>
      )}
      {editing ? (
        <DefinitionEditor
          type={connector.type}
          initial={checked?.definition ?? connector.definition ?? ''}
          action="Check definition"
          accept={(next) => {
            setChecked(next);
            setEditing(false);
          }}
        />
      ) : (
        <fieldset disabled={!manages} className={classes.plain}>
          <ConnectorForm
            key={JSON.stringify([connector.settings, connector.secrets, checked?.definition])}
            settings={checked?.settings ?? settingsOf(connector.settings_schema)}
            connector={connector}
            newDefinition={isNew}
            disabled={!manages}
            send={(change) =>
              changeConnector(appId, isNew ? { ...change, definition: checked.definition } : change)
            }
            after={() => setChecked(undefined)}
            success="Settings saved"
            action="Save settings"
          />
        </fieldset>
      )}
    </Section>
  );
}
