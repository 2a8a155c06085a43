import { holdReferences } from '#decisions/holds/references.ts';
import { policyReferences } from '#decisions/policies/references.ts';
import { requestReferences } from '#decisions/requests/references.ts';
import { restoreReferences } from '#decisions/restore/references.ts';
import { reviewReferences } from '#decisions/reviews/references.ts';
import { accessReferences } from '#directory/access/references.ts';
import { meansReferences } from '#directory/means/references.ts';
import { peopleReferences } from '#directory/people/references.ts';
import { signInReferences } from '#directory/sign-in/references.ts';
import { findingReferences } from '#insight/findings/references.ts';
import { notificationReferences } from '#insight/notifications/references.ts';
import { queryReferences } from '#insight/saved-queries/references.ts';
import { appReferences } from '#inventory/apps/references.ts';
import { recordReferences } from '#inventory/records/references.ts';
import type { References } from '#kit/database/references.ts';
import { eventReferences } from '#log/events/references.ts';
import { webhookReferences } from '#log/webhooks/references.ts';
import { grantReferences } from '#reasons/grants/references.ts';
import { suspensionReferences } from '#reasons/suspensions/references.ts';
import { connectorReferences } from '#work/connectors/references.ts';
import { fulfillmentReferences } from '#work/fulfillment/references.ts';
import { provisioningReferences } from '#work/provisioning/references.ts';
import { spreadsheetReferences } from '#work/spreadsheets/references.ts';

/** The references to people, accounts and apps of each feature, which writes these tables. `hooks.ts` says when they change. */
export const REFERENCES = {
  events: eventReferences,
  webhooks: webhookReferences,
  means: meansReferences,
  access: accessReferences,
  'sign-in': signInReferences,
  people: peopleReferences,
  apps: appReferences,
  records: recordReferences,
  grants: grantReferences,
  suspensions: suspensionReferences,
  provisioning: provisioningReferences,
  fulfillment: fulfillmentReferences,
  spreadsheets: spreadsheetReferences,
  connectors: connectorReferences,
  holds: holdReferences,
  requests: requestReferences,
  reviews: reviewReferences,
  policies: policyReferences,
  restore: restoreReferences,
  findings: findingReferences,
  'saved-queries': queryReferences,
  notifications: notificationReferences,
} satisfies Record<string, References>;

export type FeatureWithReferences = keyof typeof REFERENCES;

/** Returns the tables of these features, or of all. */
export const tablesOf = (
  features: readonly FeatureWithReferences[] = Object.keys(REFERENCES) as FeatureWithReferences[],
): References => Object.assign({}, ...features.map((feature) => REFERENCES[feature]));
