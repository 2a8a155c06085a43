import type { Cause, RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';

/** The cause of a change to how a person signs in: a caller, Gatehouse itself, or the operator's command line. */
export interface SignInCause extends Cause {
  source: RequestCause['source'] | { type: 'system'; uuid: null };
}

interface About {
  id: string;
  email: string;
}

/** The `user.updated` event of a change to how a person signs in. */
export const signInChanged = (
  { actor, source }: Cause,
  { id, email }: About,
  change: { field: string; from: string | null; to: string | null },
): NewEvent => ({
  type: 'user.updated',
  actor,
  subject: { type: 'platform_user', uuid: id },
  source,
  payload: { user_id: id, email, changes: [change] },
});

/** A person's one-time codes, or one of their passkeys. */
export type Factor = { kind: 'totp' } | { kind: 'passkey'; name: string };

/** The events of a factor that was added, in both catalogs (D43). */
export const factorAdded = (cause: RequestCause, person: About, factor: Factor): NewEvent[] => [
  signInChanged(cause, person, { ...fieldOf(factor), from: null, to: nameOf(factor) }),
  factorEvent('factor.added', cause, person, factor),
];

/** The events of a factor that was removed, in both catalogs (D43). */
export const factorRemoved = (cause: SignInCause, person: About, factor: Factor): NewEvent[] => [
  signInChanged(cause, person, { ...fieldOf(factor), from: nameOf(factor), to: null }),
  factorEvent('factor.removed', cause, person, factor),
];

const fieldOf = ({ kind }: Factor) => ({ field: kind === 'totp' ? 'second_factor' : 'passkey' });
const nameOf = (factor: Factor) => (factor.kind === 'totp' ? 'totp' : factor.name);

const factorEvent = (
  type: 'factor.added' | 'factor.removed',
  { actor, source }: SignInCause,
  { id, email }: About,
  factor: Factor,
): NewEvent => ({
  type,
  actor,
  subject: { type: 'platform_user', uuid: id },
  source,
  payload: { user_id: id, email, ...factor, by_administrator: actor.uuid !== id },
});

/** The `password.changed` event. */
export const passwordChanged = (
  { actor, source }: RequestCause,
  { id, email }: About,
  method: 'self' | 'link',
): NewEvent => ({
  type: 'password.changed',
  actor,
  subject: { type: 'platform_user', uuid: id },
  source,
  payload: { user_id: id, email, method },
});
