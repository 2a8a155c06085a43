import { BY_THE_CLOCK, type Cause, type RequestCause } from '#kit/identity.ts';
import { changedFields } from '#log/events/changes.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Reassigned, Settings } from './cycle.ts';

/** The events of campaigns, cycles and reassigned items. Those of decisions are in queries/item-events.ts. */

const FIELDS = [
  'name',
  'scope',
  'reviewer',
  'fallback_reviewers',
  'frequency',
  'starts_at',
  'due_days',
  'on_no_response',
  'revoke_account_by',
  'cooling_off_hours',
  'escalate_after_working_days',
] as const satisfies (keyof Settings)[];

const about = <C extends Cause>(campaignId: string, { actor, source }: C) => ({
  actor,
  subject: { type: 'system' as const, uuid: campaignId },
  source: source as C['source'],
});

export const campaignCreated = (id: string, settings: Settings, cause: RequestCause): NewEvent => ({
  type: 'campaign.created',
  ...about(id, cause),
  payload: { campaign_id: id, name: settings.name, definition: { ...settings } },
});

/** Returns no event if nothing differs. */
export function campaignUpdated(
  id: string,
  before: Settings,
  after: Settings,
  cause: RequestCause,
): NewEvent[] {
  const changes = changedFields(before, after, FIELDS);
  if (changes.length === 0) return [];
  const payload = { campaign_id: id, name: after.name, changes };
  return [{ type: 'campaign.updated', ...about(id, cause), payload }];
}

export const campaignDeleted = (id: string, { name }: Settings, cause: RequestCause): NewEvent => ({
  type: 'campaign.deleted',
  ...about(id, cause),
  payload: { campaign_id: id, name },
});

export const campaignStarted = (
  campaignId: string,
  { name }: Settings,
  cycle: { id: string; accounts: number },
  cause: Cause,
): NewEvent => ({
  type: 'campaign.started',
  ...about(campaignId, cause),
  payload: { campaign_id: campaignId, name, cycle_id: cycle.id, accounts: cycle.accounts },
});

/** The last decision of a cycle closes it. */
export const campaignClosed = (
  { id, campaign_id, settings }: { id: string; campaign_id: string; settings: Settings },
  cause: Cause,
): NewEvent => ({
  type: 'campaign.closed',
  ...about(campaign_id, cause),
  payload: { campaign_id, name: settings.name, cycle_id: id },
});

export const reviewerReminded = (
  { id, campaign_id, settings }: { id: string; campaign_id: string; settings: Settings },
  reviewer: { id: string; email: string; items: number },
  cause: RequestCause,
): NewEvent => ({
  type: 'review.reminded',
  ...about(campaign_id, cause),
  payload: {
    campaign_id,
    name: settings.name,
    cycle_id: id,
    user_id: reviewer.id,
    email: reviewer.email,
    items: reviewer.items,
  },
});

export const itemReassigned = (
  item: Reassigned,
  { actor, source }: Cause,
  reason: string | null = null,
): NewEvent => ({
  type: 'review.reassigned',
  actor,
  subject: { type: 'app_user', uuid: item.account_id },
  source,
  payload: { ...item, reason },
});

export const itemEscalated = (item: Reassigned): NewEvent => ({
  type: 'review.escalated',
  ...BY_THE_CLOCK,
  subject: { type: 'app_user', uuid: item.account_id },
  payload: item,
});
