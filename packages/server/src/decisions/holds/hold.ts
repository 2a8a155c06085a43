import { type Static, Type } from 'typebox';

/**
 * A hold (D78). The guards count the changes that one client makes, and the members that one group loses, in a window of time:
 *
 *   window ──within the limit──> forgotten when its time is over
 *      └──above it──> open ──confirmed──> policies decide again for each of its people
 *                       └──discarded──> its tasks are canceled, and policies do nothing because of it
 *
 * A change takes effect immediately. Only what policies and reviews do because of it waits. Further changes of the client join an open hold.
 * A decided one begins another window. The tasks of an app that exceed its daily budget (D46) are shown as a hold of the kind app.
 */
export const HoldKind = Type.Enum(['people', 'group', 'app'], { title: 'HoldKind' });
export type HoldKind = Static<typeof HoldKind>;
/** The kinds that the guards count. */
export type GuardedKind = Exclude<HoldKind, 'app'>;

export const HoldStatus = Type.Enum(['open', 'confirmed', 'discarded'], { title: 'HoldStatus' });
export type HoldStatus = Static<typeof HoldStatus>;
export type Decision = Exclude<HoldStatus, 'open'>;

export const CLIENT_TYPES = ['scim', 'import', 'api_key'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

/** The client that made the changes: the API key, or the person who imported. */
export interface Client {
  type: ClientType;
  id: string;
}

/** How long a window is, in seconds. */
export const WINDOW_SECONDS: Record<HoldKind, number> = { people: 86_400, group: 3600, app: 86_400 };

/** The subject of a window: the changes of a client, or the losses of a group. */
export interface Subject {
  kind: GuardedKind;
  /** The API key, the organization for its imports, or the group. */
  id: string;
  client: Client | null;
  /** Null for people. */
  groupName: string | null;
}

export const CHANGE_TYPES = ['left', 'succeeded', 'successor'] as const;

/** A person in a window. Successors are held as well, and do not count. */
export interface Change {
  userId: string;
  type: (typeof CHANGE_TYPES)[number];
  /** When they had joined the group that they left. Null: with its creation. Undefined for people. */
  joinedAt?: Date | null | undefined;
}

/** The number of people a subject has, and of those among them who were there one length of a window ago. */
export interface Present {
  total: number;
  base: number;
}

/** The limit of a guard (D78). Both must be exceeded. */
export interface Guard {
  percent: number;
  at_least: number;
}

/** An action of a policy for a person or account, whose person is in an open hold. */
export interface HeldFiring {
  holdId: string;
  subject: string;
  /** The number of tasks. */
  tasks: number;
}
