import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../../api/me.ts';
import { CodeBlock } from '../../../kit/controls/code.tsx';
import { Section } from '../../../kit/controls/section.tsx';
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
    <Section title={t`Settings`}>
      {connector.definition !== null && !editing && (
        <>
          <CodeBlock text={checked?.definition ?? connector.definition} what={t`definition`} />
          {manages && (
            <Group my="sm">
              <Button variant="default" onClick={() => setEditing(true)}>
                {t`Edit definition`}
              </Button>
              {isNew && (
                <Text size="sm">{t`The changed definition is valid. Save it with the settings.`}</Text>
              )}
            </Group>
          )}
        </>
      )}
      {editing ? (
        <DefinitionEditor
          type={connector.type}
          initial={checked?.definition ?? connector.definition ?? ''}
          action={t`Check definition`}
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
            definition={checked?.definition}
            appId={appId}
            disabled={!manages}
            send={(change, _, version) => changeConnector(appId, change, version)}
            after={() => setChecked(undefined)}
            success={t`Settings saved`}
            action={t`Save settings`}
          />
        </fieldset>
      )}
    </Section>
  );
}
