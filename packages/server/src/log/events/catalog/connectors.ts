import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import { app, BY_PERSON, Changes, define, field, Text } from '../payloads.ts';

/** The connector that the server runs for an app. */
const connector = { ...app, connector_type: field('The type of the connector.', Text) };

const connectorRun = {
  ...connector,
  run_id: field('The run of the connector.', Uuid),
  kind: field('The kind of run.', Type.Enum(['sync', 'tasks', 'test', 'preview'])),
};

/** Connectors that the server runs. */
export const connectorsEvents = {
  'connector.created': define('Connector added to an app', ['app'], BY_PERSON, {
    sentence: '{who} added a connector to {app}',
    payload: connector,
  }),
  'connector.changed': define('Connector of an app changed', ['app'], BY_PERSON, {
    sentence: '{who} changed the connector of {app}: {changes}',
    payload: { ...connector, changes: Changes },
  }),
  'connector.credentials_changed': define('Credentials of a connector set or removed', ['app'], BY_PERSON, {
    sentence: '{who} changed the credentials of the connector of {app}',
    payload: {
      ...connector,
      set: Type.Array(Text, { description: 'The names of the secrets that were set.' }),
      removed: Type.Array(Text, { description: 'The names of the secrets that were removed.' }),
    },
  }),
  'connector.paused': define('Connector paused', ['app'], BY_PERSON, {
    sentence: '{who} paused the connector of {app}',
    payload: connector,
  }),
  'connector.resumed': define('Connector resumed', ['app'], BY_PERSON, {
    sentence: '{who} resumed the connector of {app}',
    payload: connector,
  }),
  'connector.deleted': define('Connector removed from an app', ['app'], BY_PERSON, {
    sentence: '{who} removed the connector of {app}',
    payload: connector,
  }),
  'connector.run_requested': define('Connector run requested', ['app'], BY_PERSON, {
    sentence: '{who} started {run} of {app}',
    payload: connectorRun,
  }),
  'connector.run_cancelled': define('Connector run canceled', ['app'], BY_PERSON, {
    sentence: '{who} canceled {run} of {app}',
    payload: connectorRun,
  }),
};
