import { type TObject, type TProperties, Type } from 'typebox';
import { Nullable, Uuid } from '../../kit/http/schemas.ts';
import { SOURCE_TYPES, type SourceType } from '../../kit/identity/cause.ts';

/** The parts from which both catalogs define their event types. */

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

/** An event type: what it means, what it is about, what causes it, and the schema of its payload. */
export interface Entry<P extends TProperties, Subject extends SubjectType, Source extends SourceType> {
  meaning: string;
  version: number;
  subjects: readonly Subject[];
  sources: readonly Source[];
  payload: TObject<P>;
}

/** Defines version 1 of an event type. */
export const define = <P extends TProperties, Subject extends SubjectType, Source extends SourceType>(
  meaning: string,
  subjects: readonly Subject[],
  sources: readonly Source[],
  payload: P,
): Entry<P, Subject, Source> => ({ meaning, version: 1, subjects, sources, payload: Type.Object(payload) });

export const Text = Type.String();
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });
export const MaybeText = Nullable(Type.String());
export const Count = Type.Integer({ minimum: 0 });

export const app = { app_id: Uuid, app_name: Text };

/** The account after the change. */
export const account = {
  account_id: Uuid,
  external_id: Type.Optional(MaybeText),
  email: Text,
  username: Type.Optional(Text),
  display_name: Type.Optional(Text),
  user_id: Type.Optional(Nullable(Uuid)),
};

/** A change of an account: the status before and after, and the task or sync that made it. */
export const accountChange = {
  ...app,
  ...account,
  status: Text,
  previous_status: Type.Optional(MaybeText),
  reason: Type.Optional(Text),
  task_id: Type.Optional(Uuid),
  sync_id: Type.Optional(Uuid),
  reverted_sync_id: Type.Optional({ ...Uuid, description: 'The sync whose revert made the change.' }),
};

/** A group or license that gives access. */
export const giver = Type.Object({
  external_uuid: { ...Uuid, description: 'The group or license in Gatehouse.' },
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
      external_uuid: { ...Uuid, description: 'The person.' },
      email: Type.String({ description: 'The email of the person.' }),
    },
    { description: 'The person who has decided to keep it.' },
  ),
});

export const membership = {
  ...app,
  ...account,
  resource_type: Type.String({ description: "The slug of the group's resource type." }),
  group_id: Uuid,
  group_external_id: Text,
  group_name: Text,
  via: Type.Optional(giver),
  kind: Type.Optional(Type.Enum(['group', 'license'])),
  reason: Type.Optional(Text),
  task_id: Type.Optional(Uuid),
  sync_id: Type.Optional(Uuid),
  reverted_sync_id: Type.Optional({ ...Uuid, description: 'The sync whose revert made the change.' }),
};

export const person = {
  user_id: Uuid,
  email: Text,
  username: Type.Optional(Text),
  name: Type.Optional(Text),
};

/** `session_id` is an id of the session, never its secret. */
export const session = { ...person, session_id: Type.Optional(Text), method: Type.Optional(Text) };

export const apiKey = { api_key_id: Uuid, name: Text };

/** Whether the connector saw the result of the task when it read the account back. Absent if it did not say. */
export const confirmation = { confirmed: Type.Optional(Type.Enum(['read', 'none'])) };

export const ticket = {
  ...app,
  ticket_id: Uuid,
  label: Text,
  ticket_type: Text,
  requester_id: Uuid,
  requester_email: Text,
  user_id: Type.Optional(Nullable(Uuid)),
  email: Type.Optional(Text),
  account_id: Type.Optional(Nullable(Uuid)),
  requested: Type.Optional(
    Type.Array(Type.Object({ type: Type.Enum(['group', 'license']), slug: Text, id: Text, name: Text }), {
      description: 'The requested groups and licenses, with the names that they had then.',
    }),
  ),
};

export const task = {
  ...app,
  task_id: Uuid,
  action: Type.Enum([
    'create_account',
    'update_account',
    'delete_account',
    'suspend_account',
    'unsuspend_account',
    'reset_password',
  ]),
  task_type: Type.Optional(Text),
  account_id: Uuid,
  external_id: Type.Optional(MaybeText),
  email: Type.Optional(Text),
  user_id: Type.Optional(Nullable(Uuid)),
};

/** The removals of a sync that wait for approval. */
export const held = Type.Object({
  accounts: Count,
  memberships: Count,
  reason: Type.Optional(Type.Enum(['no_accounts'])),
});

export const Changes = Type.Array(Type.Object({ field: Text, from: Type.Unknown(), to: Type.Unknown() }));

export const BY_PERSON = ['user_action', 'api', 'system', 'schedule'] as const;
export const BY_ANYTHING = SOURCE_TYPES;
