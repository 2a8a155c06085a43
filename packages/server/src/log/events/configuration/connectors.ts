import { Type } from 'typebox';
import { Uuid } from '../../../kit/http/schemas.ts';
import { app, BY_PERSON, Changes, define, Text } from '../payloads.ts';

/** The connector that the server runs for an app. */
const connector = { ...app, connector_type: Text };
const connectorRun = { ...connector, run_id: Uuid, kind: Type.Enum(['sync', 'tasks', 'test', 'preview']) };

/** Connectors that the server runs. */
export const connectorEvents = {
  'connector.created': define('Connector added to an app', ['app'], BY_PERSON, connector),
  'connector.changed': define('Connector of an app changed', ['app'], BY_PERSON, {
    ...connector,
    changes: Changes,
  }),
  'connector.credentials_changed': define('Credentials of a connector set or removed', ['app'], BY_PERSON, {
    ...connector,
    set: Type.Array(Text, { description: 'The names of the secrets that were set.' }),
    removed: Type.Array(Text, { description: 'The names of the secrets that were removed.' }),
  }),
  'connector.paused': define('Connector paused', ['app'], BY_PERSON, connector),
  'connector.resumed': define('Connector resumed', ['app'], BY_PERSON, connector),
  'connector.deleted': define('Connector removed from an app', ['app'], BY_PERSON, connector),
  'connector.run_requested': define('Connector run requested', ['app'], BY_PERSON, connectorRun),
  'connector.run_cancelled': define('Connector run canceled', ['app'], BY_PERSON, connectorRun),
};
