import { holdNotices } from '#decisions/holds/notices.ts';
import { policyNotices } from '#decisions/policies/notices.ts';
import { requestNotices } from '#decisions/requests/notices.ts';
import { reviewNotices } from '#decisions/reviews/notices.ts';
import { accessNotices } from '#directory/access/notices.ts';
import { peopleNotices } from '#directory/people/notices.ts';
import { scimNotices } from '#directory/scim/notices.ts';
import { signInNotices } from '#directory/sign-in/notices.ts';
import { appNotices } from '#inventory/apps/notices.ts';
import { recordNotices } from '#inventory/records/notices.ts';
import type { Notices } from '#log/notices/notices.ts';
import { webhookNotices } from '#log/webhooks/notices.ts';
import { suspensionNotices } from '#reasons/suspensions/notices.ts';
import { fulfillmentNotices } from '#work/fulfillment/notices.ts';
import { provisioningNotices } from '#work/provisioning/notices.ts';
import { findingNotices } from '../findings/notices.ts';
import { queryNotices } from '../saved-queries/notices.ts';

/** The notices of all features, in the order in which they are sent if several are due at the same time. */
export const SOURCES: readonly Notices[] = [
  provisioningNotices,
  suspensionNotices,
  requestNotices,
  reviewNotices,
  accessNotices,
  recordNotices,
  signInNotices,
  fulfillmentNotices,
  appNotices,
  holdNotices,
  peopleNotices,
  policyNotices,
  scimNotices,
  webhookNotices,
  findingNotices,
  queryNotices,
];
