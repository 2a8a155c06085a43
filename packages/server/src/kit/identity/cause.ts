import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.ts';

export const ACTOR_TYPES = ['user', 'system', 'service', 'platform_admin'] as const;
export const SOURCE_TYPES = ['user_action', 'system', 'sync', 'schedule', 'api', 'task'] as const;

export type ActorType = (typeof ACTOR_TYPES)[number];
export type SourceType = (typeof SOURCE_TYPES)[number];

/** The actor of a change, as its event records it. `uuid` is null unless a person or one of our services did. */
export interface Actor {
  type: ActorType;
  uuid: string | null;
  ip?: string | null | undefined;
  user_agent?: string | null | undefined;
}

/** The cause of a change, as its event records it: an API key, a signed-in person, a sync, a schedule or a task. */
export interface Source {
  type: SourceType;
  uuid: string | null;
}

/** The actor and the reason of a change. Every operation that records events takes one. */
export interface Cause {
  actor: Actor;
  source: Source;
}

/** The cause of a change that a caller makes through the API or the console. */
export interface RequestCause extends Cause {
  source: { type: 'user_action' | 'api'; uuid: string | null };
}

export const SYSTEM: Actor = { type: 'system', uuid: null };

/** The cause of scheduled changes. */
export const BY_THE_CLOCK: Cause = { actor: SYSTEM, source: { type: 'schedule', uuid: null } };

const LONGEST_USER_AGENT = 512;

/** Returns the cause of the changes that an authenticated request makes. */
export const causeOf = (request: FastifyRequest): RequestCause => ({
  actor: actorOf(request),
  source: sourceOf(request.principal),
});

/** Returns the User-Agent header, cut to a length that callers cannot fill storage with. */
export const userAgentOf = (headers: FastifyRequest['headers']): string | undefined =>
  headers['user-agent']?.slice(0, LONGEST_USER_AGENT);

/** Returns the person behind an authenticated request. */
export const actorOf = ({ principal, ip, headers }: FastifyRequest): Actor => ({
  type: 'user',
  uuid: principal.userId,
  ip,
  user_agent: userAgentOf(headers),
});

/** `api` for an API key, `user_action` for a signed-in person (D44). */
export const sourceOf = ({ keyId }: Principal): RequestCause['source'] =>
  keyId === null ? { type: 'user_action', uuid: null } : { type: 'api', uuid: keyId };
