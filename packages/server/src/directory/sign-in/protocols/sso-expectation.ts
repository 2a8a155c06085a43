import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProviderRow } from './queries/providers.ts';
import type { VerifiedAssertion } from './saml-assertion.ts';
import type { Failure } from './sso-failure.ts';

/**
 * The facts that a sign-in through a provider must agree with. better-auth calls sso-person.ts in the middle of its own
 * work and cannot carry them.
 */
export type SsoExpectation = {
  provider: ProviderRow;
  /** When the provider last asked the person to prove who they are. Null as long as it has not said so. */
  authenticatedAt: Date | null;
  /** Whether the provider has said so. Undefined until its response is verified. */
  tellsAuthTime?: boolean;
  /** Why the sign-in fails, where better-auth does not say it in its own redirect. */
  problem?: Failure;
  /** Why the newest request to the provider got no response. */
  unreached?: string;
} & (
  | { protocol: 'oidc'; clientId: string; nonce: string }
  | { protocol: 'saml'; assertion: VerifiedAssertion }
);

const expectations = new AsyncLocalStorage<SsoExpectation>();

/** Runs `work`, during which better-auth completes a sign-in, with these expectations. */
export const expecting = <T>(expectation: SsoExpectation, work: () => Promise<T>): Promise<T> =>
  expectations.run(expectation, work);

/** Keeps why the sign-in in progress fails. Does nothing outside of one. */
export function noteProblem(problem: Failure | undefined): void {
  const expectation = expectations.getStore();
  if (expectation !== undefined && problem !== undefined) expectation.problem = problem;
}

/** Returns the expectations of the sign-in in progress. */
export function currentExpectation(): SsoExpectation {
  const expectation = expectations.getStore();
  if (expectation === undefined)
    throw new Error('A sign-in through a provider was completed without checks.');
  return expectation;
}
