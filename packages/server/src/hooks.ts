import { keepAppHolds } from './decisions/holds/app-holds.ts';
import { guardMembers, guardPeople } from './decisions/holds/guard.ts';
import { openingHooks } from './decisions/holds/open.ts';
import { gateTasks } from './decisions/policies/gate.ts';
import { waitForPolicies } from './decisions/policies/holds.ts';
import { cancelTicketsOfApp, cancelTicketsOfLeavers } from './decisions/requests/close.ts';
import { keepPeopleNamedInRequests } from './decisions/requests/deleted-people.ts';
import { moveTicketsOfAccounts, moveTicketsOfMerged } from './decisions/requests/merge.ts';
import { moveItemsOfAccounts, moveReviewsOfMerged } from './decisions/reviews/merge.ts';
import { forgetDeletedPeopleInReviews, reassignItemsOfLeavers } from './decisions/reviews/reassign.ts';
import {
  deleteKeysOfDeletedPeople,
  revokeKeysOfMerged,
  revokeKeysOfNewOwners,
} from './directory/access/keys.ts';
import { forgetDeletedPeopleInProviders } from './directory/access/sign-in/deleted-people.ts';
import { forgetSignIn } from './directory/access/sign-in/forget.ts';
import { resetSignInOfNewOwners } from './directory/access/sign-in/new-owners.ts';
import { endSessionsOfDeactivated } from './directory/access/sign-in/sessions.ts';
import { unlinkChangedEmails } from './directory/access/sign-in/unlink.ts';
import { membersHooks } from './directory/people/groups.ts';
import { mergeHooks } from './directory/people/merge.ts';
import { deletionLocks } from './directory/people/people.ts';
import { forgetSignInHooks, peopleHooks } from './directory/people/save.ts';
import { forgetDeletedPeopleInNotifications } from './insight/notifications/cleanup.ts';
import { archiveHooks } from './inventory/apps/admin.ts';
import { forgetDeletedPeopleInApps } from './inventory/apps/deleted-people.ts';
import { lockAppsNaming } from './inventory/apps/facts.ts';
import { moveAppsOfMerged } from './inventory/apps/merge.ts';
import { accountsMergedHooks } from './inventory/records/correlation.ts';
import { keepLinksOfSucceeded, linkPeople, unlinkDeletedPeople } from './inventory/records/links.ts';
import { moveAccountsOfMerged } from './inventory/records/merge.ts';
import { forgetDeletedOwners } from './inventory/records/owners.ts';
import { endSessions } from './inventory/records/sync/archive.ts';
import { accountsHooks, publishedHooks } from './inventory/records/sync/session.ts';
import type { Db } from './kit/database/open.ts';
import { endConnector } from './work/connectors/connectors.ts';
import { findCarriers } from './work/connectors/facts.ts';
import {
  endFulfillmentOfApp,
  endVanishedTasks,
  forgetDeletedFulfillers,
  moveFulfillmentOfMerged,
} from './work/fulfillment/hooks.ts';
import { fulfillByDefault } from './work/fulfillment/settings.ts';
import { appHoldHooks } from './work/provisioning/app-holds.ts';
import { endTasksOfApp } from './work/provisioning/archive.ts';
import { holdGateHooks } from './work/provisioning/hold-gate.ts';
import { moveTasksOfAccounts, moveTasksOfMerged } from './work/provisioning/merge.ts';
import { resumeRemovals } from './work/provisioning/resume.ts';
import { wakeTasks } from './work/provisioning/wake.ts';
import { firstUploadHooks, type UploadHook } from './work/spreadsheets/apply.ts';

/** Sets what features do in the transactions of lower layers, in the order of locks (ARCHITECTURE.md). */
export function setHooks(db: Db): void {
  peopleHooks.set(db, [
    deleteKeysOfDeletedPeople,
    revokeKeysOfNewOwners,
    endSessionsOfDeactivated,
    resetSignInOfNewOwners,
    unlinkChangedEmails,
    guardPeople,
    reassignItemsOfLeavers,
    cancelTicketsOfLeavers,
    keepPeopleNamedInRequests,
    keepLinksOfSucceeded,
    linkPeople,
    unlinkDeletedPeople,
    forgetDeletedOwners,
    forgetDeletedPeopleInApps,
    forgetDeletedFulfillers,
    forgetDeletedPeopleInProviders,
    forgetDeletedPeopleInReviews,
    forgetDeletedPeopleInNotifications,
  ]);
  membersHooks.set(db, [guardMembers]);
  openingHooks.set(db, [waitForPolicies]);
  deletionLocks.set(db, [lockAppsNaming]);
  forgetSignInHooks.set(db, [forgetSignIn]);
  mergeHooks.set(db, [
    revokeKeysOfMerged,
    moveAppsOfMerged,
    moveTicketsOfMerged,
    moveReviewsOfMerged,
    moveAccountsOfMerged,
    moveTasksOfMerged,
    moveFulfillmentOfMerged,
  ]);
  archiveHooks.set(db, [endFulfillmentOfApp, endSessions, cancelTicketsOfApp, endTasksOfApp, endConnector]);
  accountsHooks.set(db, [wakeTasks]);
  appHoldHooks.set(db, [keepAppHolds]);
  holdGateHooks.set(db, [gateTasks]);
  publishedHooks.set(db, [resumeRemovals, endVanishedTasks]);
  accountsMergedHooks.set(db, [moveTasksOfAccounts, moveTicketsOfAccounts, moveItemsOfAccounts]);
  firstUploadHooks.set(db, [letPeopleFulfill]);
}

/** Nothing but people can carry out the tasks of a spreadsheet, unless the app has a connector as well. */
const letPeopleFulfill: UploadHook = async (call, app) => {
  if ((await findCarriers(call, [app.id])).size === 0) await fulfillByDefault(call, app);
};
