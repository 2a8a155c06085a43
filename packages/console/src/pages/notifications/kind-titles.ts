import { t } from '@lingui/core/macro';
import type { Item } from '../../api/client.ts';

type Kind = Item<'/api/notifications/'>['kind'];

const TITLES = {
  request_waiting: t`A request needs a decision`,
  request_reminder: t`A request is still waiting for a decision`,
  request_reassigned: t`A request was assigned or escalated to you`,
  request_decided: t`A request was approved, denied, canceled or has expired`,
  request_granted: t`Requested access was granted`,
  request_failed: t`Requested access could not be granted`,
  request_expires: t`An undecided request expires soon`,
  access_ends: t`Temporary access ends soon`,
  request_commented: t`A comment on a request`,
  information_requested: t`An approver needs more information`,
  information_provided: t`Requested information was provided`,
  review_assigned: t`A review is waiting for you`,
  review_reassigned: t`Review items were assigned or escalated to you`,
  review_due: t`A review is due soon`,
  review_reminder: t`A review is still waiting for you`,
  review_overdue: t`A review is overdue`,
  fulfillment_assigned: t`A task is assigned to you`,
  fulfillment_reassigned: t`A task was handed to you`,
  fulfillment_due: t`A task of yours is due soon`,
  fulfillment_overdue: t`A task of yours is overdue`,
  task_failed: t`A task has failed`,
  removal_held: t`A removal is held`,
  people_change_held: t`A change of many people is held`,
  budget_held: t`Tasks are held by the daily budget of an app`,
  sync_failed: t`A sync has failed`,
  sync_superseded: t`Connectors discard each other's syncs`,
  sync_overdue: t`A sync is overdue`,
  webhook_failing: t`A webhook keeps failing`,
  policy_held: t`A policy waits for a confirmation`,
  policy_undecided: t`A policy that takes access away left people out`,
  attribute_ignored: t`Gatehouse could not apply an attribute from an identity provider`,
  returned_as_another: t`A person came back under another id`,
  suspension_ended: t`An app shows an account active that you suspended`,
  webhook_disabled: t`A webhook was disabled`,
  query_results: t`A saved query ran`,
  query_stopped: t`The schedule of a saved query was stopped`,
  key_created: t`An API key was created`,
  key_expires: t`An API key expires soon`,
  certificate_expires: t`The certificates of a sign-in provider expire soon`,
  new_device: t`A sign-in from a new device`,
  password_changed: t`Your password was changed`,
  factor_removed: t`A second factor or a passkey was removed`,
  sign_in_link: t`Your sign-in link`,
} satisfies Record<Kind, string>;

/** Returns the title of a kind of notification. Kinds of a newer server have no title here. */
export const kindTitle = (kind: Kind): string => TITLES[kind] ?? kind;
