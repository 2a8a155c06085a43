import { Type } from 'typebox';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import {
  type Connector,
  type ConnectorState,
  KINDS,
  PROBLEMS,
  type Run,
  type RunWithLog,
  STATES,
} from '../connector.ts';
import { type ConnectorDetails, typeOf } from '../connectors.ts';
import { isOverdue } from '../schedule.ts';
import { findType } from '../types.ts';

export const tag = 'Connectors';
/** Owners and admins manage connectors, auditors read them. */
export const managing = {
  access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' },
} as const;
export const reading = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
} as const;

/** In bytes, UTF-8 has up to four times as many. */
const LONGEST_DEFINITION = 200_000;
const MOST_SETTINGS = 100;

const ResourceTypes = Type.Array(
  Component('ConnectorResourceType', { slug: Type.String(), type: Type.String(), name: Type.String() }),
);
const JsonSchema = Type.Object({}, { additionalProperties: true, description: 'JSON Schema.' });

export const ConnectorTypeItem = Component('ConnectorType', {
  type: Type.String(),
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  needs_definition: Type.Boolean({
    description: 'The connector needs a definition in YAML, which decides the settings.',
  }),
  tried: Nullable(
    Type.Boolean({
      description:
        'Whether it was tried against a running system. Otherwise it was written from the public documentation. Null: this depends on the definition.',
    }),
  ),
  settings: { ...JsonSchema, description: 'The settings in JSON Schema. Secrets are writeOnly.' },
  resource_types: ResourceTypes,
  tasks: Type.Array(Type.String(), { description: 'The actions that it can carry out.' }),
});

const Schedule = Type.Union(
  [
    Type.Object(
      { every_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }) },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        cron: Type.String({
          minLength: 9,
          maxLength: 200,
          description: 'Five fields, such as 30 6 * * 1-5.',
        }),
        time_zone: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'A name of the IANA time zone database, such as Europe/Berlin.',
        }),
      },
      { additionalProperties: false },
    ),
  ],
  { title: 'ConnectorSchedule' },
);

const SettingValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

export const Definition = Type.String({
  minLength: 1,
  maxLength: LONGEST_DEFINITION,
  description: 'YAML, for types that need one.',
});

/** The settings, resource types and actions of a definition. */
export const DescribedView = Component('DescribedConnector', {
  settings: { ...JsonSchema, description: 'The settings in JSON Schema. Secrets are writeOnly.' },
  resource_types: ResourceTypes,
  tasks: Type.Array(Type.String(), { description: 'The actions that it can carry out.' }),
});

/** The fields that an administrator writes. */
export const connectorFields = {
  definition: Type.Optional(Definition),
  settings: Type.Optional(
    MapOf(Nullable(SettingValue), {
      maxProperties: MOST_SETTINGS,
      description: 'Settings by name. Null removes one. Others stay as they are.',
    }),
  ),
  secrets: Type.Optional(
    MapOf(Nullable(Type.String()), {
      maxProperties: MOST_SETTINGS,
      description: 'Secrets by name, which are never returned. Null removes one. Others stay as they are.',
    }),
  ),
  schedule: Type.Optional(Nullable(Schedule)),
  paused: Type.Optional(Type.Boolean({ description: 'true stops scheduled syncs and task batches.' })),
  carries_out_tasks: Type.Optional(
    Type.Boolean({ description: 'Whether pending tasks of the app start a run that carries them out.' }),
  ),
};

const runFields = {
  id: Uuid,
  kind: Type.Enum([...KINDS]),
  state: Type.Enum([...STATES]),
  requested_by: Nullable({ ...Uuid, description: 'Null: the schedule or pending tasks started it.' }),
  cancelling: Type.Boolean({ description: 'Whether the run has been asked to end and has not ended yet.' }),
  queued_at: Timestamp,
  started_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  counts: Nullable(
    Type.Object(
      {},
      { additionalProperties: true, description: 'The figures that the sync or task batch reports.' },
    ),
  ),
  error: Nullable(Type.String({ description: 'Why the run did not succeed.' })),
  problem: Nullable(
    Type.Enum([...PROBLEMS], { description: 'The kind of the error. Null: any other, or none.' }),
  ),
  stopped_by_guard: Type.Boolean({
    description:
      "Whether the connector's guard has stopped the sync because it would have removed too much. accept_removals carries it out.",
  }),
  accepts_removals: Type.Boolean({ description: 'Whether a person has accepted the removals of this sync.' }),
};

export const RunItem = Component('ConnectorRun', runFields);
export const RunDetails = Component('ConnectorRunDetails', {
  ...runFields,
  log: Nullable(Type.String({ description: 'The end of the log, without secrets.' })),
  result: Nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The steps of a test, the records of a preview, or `pushed` of a failed sync that pushed its records and removed nothing.',
      },
    ),
  ),
});

const nextSyncAt = Nullable({
  ...Timestamp,
  description: 'When the next sync is due. Each failure in a row doubles the interval, up to six hours.',
});

export const ConnectorStateItem = Component('ConnectorState', {
  app_id: Uuid,
  type: Type.String(),
  name: Type.String(),
  paused: Type.Boolean(),
  next_sync_at: nextSyncAt,
  last_success_at: Nullable({ ...Timestamp, description: 'When a sync last succeeded.' }),
  overdue: Type.Boolean({ description: 'No sync has succeeded for three intervals of the schedule.' }),
  last_sync_state: Nullable(
    Type.Enum([...STATES], { description: 'How the newest sync that has ended did. Null: none has.' }),
  ),
  last_sync_error: Nullable(Type.String({ description: 'Why that sync did not succeed.' })),
});

export const ConnectorView = Component('Connector', {
  type: Type.String(),
  name: Type.String(),
  definition: Nullable(Type.String()),
  settings: MapOf(SettingValue),
  secrets: Type.Array(Type.Object({ name: Type.String(), set_at: Timestamp })),
  settings_schema: JsonSchema,
  resource_types: ResourceTypes,
  tasks: Type.Array(Type.String()),
  schedule: Nullable(Schedule),
  paused: Type.Boolean(),
  carries_out_tasks: Type.Boolean(),
  acts_for: { ...Uuid, description: 'The person for whom runs act: the last one who changed the connector.' },
  next_sync_at: nextSyncAt,
  last_success_at: Nullable({ ...Timestamp, description: 'When a sync last succeeded.' }),
  overdue: Type.Boolean({ description: 'No sync has succeeded for three intervals of the schedule.' }),
  last_run: Nullable(RunItem),
  created_at: Timestamp,
  changed_at: Timestamp,
});

function overdueNow(one: Pick<Connector, 'schedule' | 'scheduled_since' | 'last_success_at'>): boolean {
  const { schedule, scheduled_since: since, last_success_at: last } = one;
  return schedule !== null && since !== null && isOverdue(schedule, last, since, new Date());
}

export function connectorState({ schedule, scheduled_since, ...one }: ConnectorState) {
  const name = findType(one.type)?.name ?? one.type;
  return { ...one, name, overdue: overdueNow({ ...one, schedule, scheduled_since }) };
}

export const runItem = ({ app_id, cancel_requested_at, ...run }: Run) => ({
  ...run,
  cancelling: cancel_requested_at !== null && run.ended_at === null,
});

export const runDetails = ({ log, result, ...run }: RunWithLog) => ({ ...runItem(run), log, result });

export function connectorView({ connector, secrets, lastRun }: ConnectorDetails) {
  const { app_id, described, scheduled_since, ...rest } = connector;
  const type = typeOf(connector);
  const { settings: settings_schema, resource_types, tasks } = described ?? type;
  return {
    ...rest,
    name: type.name,
    secrets,
    settings_schema,
    resource_types,
    tasks,
    overdue: overdueNow(connector),
    last_run: lastRun === undefined ? null : runItem(lastRun),
  };
}
