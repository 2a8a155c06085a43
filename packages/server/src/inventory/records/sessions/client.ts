import type { Principal, RequestCause } from '#kit/identity.ts';

/**
 * A client that starts sync sessions (D21): an API key, the connector that the server runs for the app, or a person, who uploads a spreadsheet.
 * Each run of such a connector has a key of its own, so the app identifies it.
 */
export interface ClientId {
  type: 'api_key' | 'connector' | 'person';
  id: string;
}

export interface Client extends ClientId {
  /** Null: nobody knows it any more, or the reader may not know it. */
  name: string | null;
}

/** Returns the client that starts a session of an app. `runId` is the run of the server's connector. */
export function clientOf(
  appId: string,
  { actor, source }: RequestCause,
  runId: string | null,
): ClientId | null {
  if (runId !== null) return { type: 'connector', id: appId };
  if (source.type === 'api') return source.uuid === null ? null : { type: 'api_key', id: source.uuid };
  return actor.uuid === null ? null : { type: 'person', id: actor.uuid };
}

/** Whether both are known, and differ. */
export const areDifferent = (one: ClientId | null, other: ClientId | null): boolean =>
  one !== null && other !== null && (one.type !== other.type || one.id !== other.id);

/** Names of API keys and people are told to those who can read them in the events of the organization. */
export type NameReader = Pick<Principal, 'apps' | 'scopes' | 'role'>;

export const mayKnowNames = ({ apps, scopes, role }: NameReader): boolean =>
  apps === 'all' && (scopes.has('events') || (scopes.has('govern') && role !== 'member'));
