import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { SOURCE_TYPES, type SourceType } from '#kit/identity.ts';
import { Nullable, Uuid } from '#kit/schemas.ts';

/** The parts of which the files in catalog/ define the event types. */

export const SUBJECT_TYPES = [
  'platform_user',
  'app_user',
  'app',
  'app_group',
  'task',
  'ticket',
  'system',
] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The classes of OCSF that events map to (docs/guides/siem.md). */
export type OcsfClass =
  | 'account_change'
  | 'authentication'
  | 'entity_management'
  | 'user_access'
  | 'group_management'
  | 'api_activity';
/** The activity that OCSF calls "Other". */
export const OTHER = 99;

/** The severity and payload of an event type, and what the console, the documents and the command line say about it. */
interface Definition<P extends TProperties> {
  /** Without it: info. */
  severity?: Severity;
  /** The class and activity of OCSF. Without them: an entity was changed. */
  ocsf?: readonly [OcsfClass, number];
  /**
   * The sentence of the console in English, as an ICU message without its final period. `{who}`, `{person}`, `{account}`, `{app}`,
   * `{work}`, `{name}`, `{label}`, `{way}` and `{changes}` are words that the console makes, and others fields of the payload
   * (packages/console/src/events/event-parts.ts).
   */
  sentence: string;
  /** The fields of which the first with a text follows the sentence after a colon: reasons and comments of others. */
  quote?: readonly string[];
  /** The fields with ids of people whom the sentence names, other than `user_id`. */
  people?: readonly string[];
  payload: P;
}

/** Defines version 1 of an event type. */
export const define = <P extends TProperties, Subject extends SubjectType, Source extends SourceType>(
  meaning: string,
  subjects: readonly Subject[],
  sources: readonly Source[],
  { payload, ...definition }: Definition<P>,
): Entry<P, Subject, Source> => ({
  ...definition,
  meaning,
  version: 1,
  subjects,
  sources,
  payload: Type.Object(payload),
});

interface Entry<P extends TProperties, Subject extends SubjectType, Source extends SourceType>
  extends Omit<Definition<P>, 'payload'> {
  meaning: string;
  version: number;
  subjects: readonly Subject[];
  sources: readonly Source[];
  payload: TObject<P>;
}

/** Describes a field of a payload. */
export const field = <S extends TSchema>(description: string, schema: S): S => ({ ...schema, description });

/** Describes a field that a payload may lack. */
export const optional = <S extends TSchema>(description: string, schema: S) =>
  Type.Optional(field(description, schema));

export const Text = Type.String();
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });
export const MaybeText = Nullable(Type.String());
export const Count = Type.Integer({ minimum: 0 });

export const app = {
  app_id: field('The app.', Uuid),
  app_name: field('The name of the app at the time of the event.', Text),
};

/** The account after the change. */
export const account = {
  account_id: field('The account.', Uuid),
  external_id: optional('The id of the account in the app.', MaybeText),
  email: field('The email of the account.', Text),
  username: optional('The username of the account.', Text),
  display_name: optional('The name of the account.', Text),
  user_id: optional('The person to whom the account belongs. Null means nobody.', Nullable(Uuid)),
};

/** A change of an account: the status before and after, and the task or sync that made it. */
export const accountChange = {
  ...app,
  ...account,
  status: field('The status after the change.', Text),
  previous_status: optional('The status before. Null if there was none.', MaybeText),
  reason: optional('Why it happened.', Text),
  task_id: optional('The task that made the change.', Uuid),
  sync_id: optional('The sync.', Uuid),
  reverted_sync_id: optional('The sync whose revert made the change.', Uuid),
};

/** A group or license that gives access. */
export const giver = Type.Object({
  external_uuid: field('The group or license in Gatehouse.', Uuid),
  type: Type.Enum(['group', 'license'], { description: 'Whether it is a group or a license.' }),
  slug: Type.String({ description: 'The slug of its resource type.' }),
  id: Type.String({ description: 'Its id in the app.' }),
  name: Type.String({ description: 'Its name.' }),
});

/** A group or license that a person has decided to keep. */
export const keptFor = Type.Object({
  ...giver.properties,
  by: Type.Object(
    {
      external_uuid: field('The person.', Uuid),
      email: Type.String({ description: 'The email of the person.' }),
    },
    { description: 'The person who has decided to keep it.' },
  ),
});

export const membership = {
  ...app,
  ...account,
  resource_type: Type.String({ description: "The slug of the group's resource type." }),
  group_id: field('The group or license in the app.', Uuid),
  group_external_id: field('The id of the group in the app.', Text),
  group_name: field('The name of the group.', Text),
  via: optional(
    'The group or license that gives the group to the account. Missing: the account has it directly.',
    giver,
  ),
  kind: optional('Whether the group is a group or a license.', Type.Enum(['group', 'license'])),
  reason: optional('Why it happened.', Text),
  task_id: optional('The task that made the change.', Uuid),
  sync_id: optional('The sync.', Uuid),
  reverted_sync_id: optional('The sync whose revert made the change.', Uuid),
};

export const person = {
  user_id: field('The person.', Uuid),
  email: field('The email of the person.', Text),
  username: optional('The username of the person.', Text),
  name: optional('The name of the person.', Text),
};

/** `session_id` is an id of the session, never its secret. */
export const session = {
  ...person,
  session_id: optional('An id of the session. It is not its secret.', Text),
  method: optional('How the person signed in.', Text),
};

export const apiKey = {
  api_key_id: field('The API key.', Uuid),
  name: field('The name of the API key.', Text),
};

/** Whether the connector saw the result of the task when it read the account back. Absent if it did not say. */
export const confirmation = {
  confirmed: optional(
    'Whether the connector saw the result when it read the account after the task (read), or not (none).',
    Type.Enum(['read', 'none']),
  ),
};

export const ticket = {
  ...app,
  ticket_id: field('The request.', Uuid),
  label: field('The title of the request.', Text),
  ticket_type: field('The type of the request.', Text),
  requester_id: field('The person who made the request.', Uuid),
  requester_email: field('The email of the person who made the request.', Text),
  user_id: optional('The person who gets the access.', Nullable(Uuid)),
  email: optional('The email of the person who gets the access.', Text),
  account_id: optional('The account.', Nullable(Uuid)),
  requested: Type.Optional(
    Type.Array(
      Type.Object({
        type: field('Whether it is a group or a license.', Type.Enum(['group', 'license'])),
        slug: field('The slug of the resource type.', Text),
        id: field('The id in the app.', Text),
        name: field('The name in the app.', Text),
      }),
      {
        description: 'The requested groups and licenses, with the names that they had then.',
      },
    ),
  ),
};

export const task = {
  ...app,
  task_id: field('The task.', Uuid),
  action: field(
    'The change that the task makes in the app.',
    Type.Enum([
      'create_account',
      'update_account',
      'delete_account',
      'suspend_account',
      'unsuspend_account',
      'reset_password',
    ]),
  ),
  task_type: optional(
    'The origin of the task, such as ACCESS_REVIEW, APPROVAL_WORKFLOW, POLICY or USER_ACTION.',
    Text,
  ),
  account_id: field('The account.', Uuid),
  external_id: optional('The id of the account in the app.', MaybeText),
  email: optional('The email of the account.', Text),
  user_id: optional('The person to whom the account belongs. Null means nobody.', Nullable(Uuid)),
};

/** The removals of a sync that wait for approval. */
export const held = Type.Object({
  accounts: field('The number of accounts.', Count),
  memberships: field('The number of memberships.', Count),
  reason: optional(
    'Is no_accounts if the sync pushed no account. Missing if the removals exceed what the app allows without approval.',
    Type.Enum(['no_accounts']),
  ),
});

export const Changes = field(
  'The changed fields, with the value before and after.',
  Type.Array(
    Type.Object({
      field: field('The name of the field.', Text),
      from: field('The value before.', Type.Unknown()),
      to: field('The value after.', Type.Unknown()),
    }),
  ),
);

export const BY_PERSON = ['user_action', 'api', 'system', 'schedule'] as const;
export const BY_ANYTHING = SOURCE_TYPES;
