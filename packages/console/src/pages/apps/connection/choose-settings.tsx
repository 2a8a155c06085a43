import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api, get, ok } from '../../../api/client.ts';
import { linkTo } from '../../../kit/browser/address.ts';
import { Unready } from '../../../kit/controls/unready.tsx';
import { NewBySpreadsheet } from '../../uploads/new-by-spreadsheet.tsx';
import {
  type ConnectorChange,
  type ConnectorType,
  createConnector,
  startRun,
  typesQuery,
} from './connector.ts';
import { ConnectorForm } from './connector-form.tsx';
import { type Checked, DefinitionEditor } from './definition-field.tsx';
import { ELSEWHERE, type Elsewhere, isElsewhere } from './elsewhere.ts';
import { sentence } from './labels.ts';
import { NewByHand } from './new-by-hand.tsx';
import { settingsOf } from './setting.ts';

interface Props {
  type: string;
  /** The app that exists already. Undefined: the form creates one. */
  appId: string | undefined;
  /** The initial name of a new app. */
  name: string | undefined;
  back: () => void;
  /** Continues with the test of the connection. */
  next: (appId: string) => void;
}

/** Creates the app and its connector, which stays paused until it has a schedule. */
export function ChooseSettings(props: Props) {
  const types = useQuery(typesQuery);
  const { type } = props;
  if (isElsewhere(type)) return <NewElsewhere {...props} type={type} />;
  if (types.data === undefined) return <Unready of={types} />;
  const found = types.data.results.find((one) => one.type === type);
  if (found === undefined)
    return (
      <Alert color="red" title={t`This type does not exist`}>
        <Button variant="default" onClick={props.back}>
          {t`Choose another type`}
        </Button>
      </Alert>
    );
  return <NewConnector key={type} {...props} of={found} />;
}

function Chosen({ name, about, back }: { name: string; about: string; back: () => void }) {
  return (
    <Group gap="sm" mb="md">
      <Text>
        <strong>{name}</strong>: {about}
      </Text>
      <Button variant="default" size="compact-xs" onClick={back}>
        {t`Choose another type`}
      </Button>
    </Group>
  );
}

const createApp = async (name: string) => (await ok(api.POST('/api/v1/bridge/apps/', { body: { name } }))).id;

function NewConnector({ of: type, appId, name, back, next }: Props & { of: ConnectorType }) {
  const [checked, setChecked] = useState<Checked>();
  const [editing, setEditing] = useState(type.needs_definition);
  // A refused connector leaves the app behind. The next attempt uses it.
  const created = useRef(appId);
  const [locked, setLocked] = useState(appId !== undefined);
  const app = useQuery({
    ...get('/api/apps/{app_id}/', { path: { app_id: appId ?? '' } }),
    enabled: appId !== undefined,
  });
  const send = async (change: ConnectorChange, appName: string) => {
    created.current ??= await createApp(appName);
    const id = created.current;
    setLocked(true);
    await createConnector(id, {
      ...change,
      ...(checked === undefined ? {} : { definition: checked.definition }),
      type: type.type,
      paused: true,
    });
    // The next step can start a test, too.
    await startRun(id, 'test').catch(() => undefined);
    return id;
  };
  if (appId !== undefined && app.data === undefined) return <Unready of={app} />;
  return (
    <>
      <Chosen name={type.name} about={sentence(type.description)} back={back} />
      {type.tried === false && (
        <Alert color="yellow" mb="md">
          {t`Not tested against the live service: this definition follows its public documentation. Check the preview before you schedule syncs.`}
        </Alert>
      )}
      {editing ? (
        <DefinitionEditor
          type={type.type}
          initial={checked?.definition ?? ''}
          action={t`Check definition`}
          accept={(next) => {
            setChecked(next);
            setEditing(false);
          }}
        />
      ) : (
        <>
          {checked !== undefined && (
            <Group gap="sm" mb="sm">
              <Text size="sm">{t`The definition is valid.`}</Text>
              <Button variant="default" size="compact-xs" onClick={() => setEditing(true)}>
                {t`Edit definition`}
              </Button>
            </Group>
          )}
          <ConnectorForm
            key={checked?.definition}
            settings={checked?.settings ?? settingsOf(type.settings)}
            connector={null}
            name={{ initial: app.data?.name ?? name ?? suggestedName(type), locked }}
            send={send}
            after={next}
            action={t`Save and test`}
          />
        </>
      )}
    </>
  );
}

/** The name of a shipped definition is that of the app. */
const suggestedName = ({ type, name }: ConnectorType) => (type.includes('/') ? name : '');

function NewElsewhere({ type, appId, name, back }: Props & { type: Elsewhere }) {
  const navigate = useNavigate();
  const { name: title, about, address } = ELSEWHERE[type];
  const open = (id: string) => void navigate(linkTo(address(id)));
  if (appId !== undefined)
    return (
      <>
        <Chosen name={title} about={about} back={back} />
        <Button onClick={() => open(appId)}>{t`Continue`}</Button>
      </>
    );
  return (
    <>
      <Chosen name={title} about={about} back={back} />
      {type === 'by_hand' && <NewByHand name={name} createApp={createApp} after={open} />}
      {type === 'spreadsheet' && <NewBySpreadsheet name={name} />}
      {type === 'outside' && (
        <ConnectorForm
          settings={[]}
          connector={null}
          name={{ initial: name ?? '', locked: false }}
          send={(_, appName) => createApp(appName)}
          after={open}
          action={t`Create app`}
        />
      )}
    </>
  );
}
