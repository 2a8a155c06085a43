/**
 * The changes that provisioning tasks make to accounts and memberships. Each operation returns what changed; callers
 * turn the changes into events with change-events.ts. The caller locks the accounts first.
 */

export { correlateReported, correlationEvents } from './correlation.ts';
export { beginTaskChange, type Change } from './history/change.ts';
export type { AccountHolder, AwaitedAccount } from './queries/awaited.ts';
export {
  insertAwaitedAccounts,
  lockAccounts,
  mainAccountsOf,
  markNeverCreated,
  reopenFailedCreation,
  resetForCreation,
} from './queries/awaited.ts';
export {
  applyStatus,
  grantMemberships,
  markCreated,
  markRemoved,
  revokeAllMemberships,
  revokeMemberships,
} from './queries/effects.ts';
