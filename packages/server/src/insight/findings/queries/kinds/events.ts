import type { EventType } from '#log/events/catalog.ts';

/* The events of what kinds look at. A kind declares those after which it can begin or end. */

/** Apps, their settings, and their syncs. */
export const OF_APPS: readonly EventType[] = [
  'app.connected',
  'app.disconnected',
  'app.sync.completed',
  'app.sync.failed',
  'app.sync.paused',
  'app_settings.archived',
  'app_settings.changed',
  'removal_budget.confirmed',
  'removal_budget.rejected',
  'removal_guard.approved',
  'removal_guard.rejected',
  'sync.reverted',
];

export const OF_TASKS: readonly EventType[] = [
  'task.cancelled',
  'task.completed',
  'task.failed',
  'task.preempted',
];

export const OF_PEOPLE: readonly EventType[] = [
  'person.merged',
  'user.created',
  'user.deactivated',
  'user.deleted',
  'user.reactivated',
  'user.updated',
];

/** Accounts, what they hold, whom they belong to, and what was decided about them. */
export const OF_ACCOUNTS: readonly EventType[] = [
  'account.provisioned',
  'account.deprovisioned',
  'account.activated',
  'account.suspended',
  'account.unsuspended',
  'account.group.added',
  'account.group.removed',
  'account_link.changed',
  'account_correlation.changed',
  'account_owner.changed',
  'ticket.approved',
  ...OF_APPS,
  ...OF_TASKS,
  ...OF_PEOPLE,
];

export const OF_HOLDS: readonly EventType[] = [
  'people.change_held',
  'people.change_confirmed',
  'people.change_discarded',
];

export const OF_POLICIES: readonly EventType[] = [
  'policy.actions_confirmed',
  'policy.actions_discarded',
  'policy.deleted',
  'policy.held',
  'policy.updated',
];

export const OF_FULFILLMENT: readonly EventType[] = [
  'fulfillment.assigned',
  'fulfillment.configured',
  'fulfillment.reassigned',
];

export const OF_REVIEWS: readonly EventType[] = [
  'campaign.closed',
  'campaign.started',
  'review.decided',
  'review.decision_withdrawn',
  'review.reassigned',
];

/** The ways to sign in. */
export const OF_SIGN_IN: readonly EventType[] = [
  'factor.added',
  'factor.removed',
  'password.changed',
  'provider.created',
  'provider.deleted',
  'provider.updated',
];
