import { keepAppHolds } from '#decisions/holds/app-holds.ts';
import { guardMembers, guardPeople } from '#decisions/holds/guard.ts';
import { openingHooks } from '#decisions/holds/open.ts';
import { decideAgain } from '#decisions/policies/decide.ts';
import { gateTasks } from '#decisions/policies/gate.ts';
import { waitForPolicies } from '#decisions/policies/holds.ts';
import { cancelTicketsOfApp, cancelTicketsOfLeavers } from '#decisions/requests/close.ts';
import { decidersOfRequests, grantersByRequests } from '#decisions/requests/granter-facts.ts';
import { cancelTicketsOfMerged } from '#decisions/requests/merge.ts';
import { grantersByReviews } from '#decisions/reviews/deciding/granter-facts.ts';
import {
  moveItemsOfAccounts,
  moveItemsOfLinked,
  moveItemsOfMerged,
} from '#decisions/reviews/reviewers/merge.ts';
import { reassignItemsOfLeavers } from '#decisions/reviews/reviewers/reassign.ts';
import {
  deleteKeysOfDeletedPeople,
  revokeKeysOfMerged,
  revokeKeysOfNewOwners,
} from '#directory/access/keys.ts';
import { recordMeansOfPeople } from '#directory/means/means.ts';
import { membersHooks } from '#directory/people/groups.ts';
import { mergeHooks } from '#directory/people/merge.ts';
import { deletionLocks } from '#directory/people/people.ts';
import { forgetSignInHooks, peopleHooks } from '#directory/people/save.ts';
import { forgetSignIn } from '#directory/sign-in/forget.ts';
import { resetSignInOfNewOwners } from '#directory/sign-in/new-owners.ts';
import { endSessionsOfDeactivated } from '#directory/sign-in/sessions/sessions.ts';
import { unlinkChangedEmails } from '#directory/sign-in/sso/unlink.ts';
import { archiveHooks } from '#inventory/apps/admin.ts';
import { lockAppsNaming } from '#inventory/apps/facts.ts';
import { moveAppsOfMerged } from '#inventory/apps/merge.ts';
import { accountsHooks } from '#inventory/records/accounts/awaited.ts';
import { accountsMergedHooks } from '#inventory/records/accounts/correlation.ts';
import {
  accountsLinkedHooks,
  keepLinksOfSucceeded,
  linkPeople,
  unlinkDeletedPeople,
} from '#inventory/records/accounts/links.ts';
import { moveAccountsOfMerged } from '#inventory/records/accounts/merge.ts';
import { grantersHooks } from '#inventory/records/accounts/own-links.ts';
import { endSessions } from '#inventory/records/sessions/archive.ts';
import { publishedHooks } from '#inventory/records/sessions/session.ts';
import type { Db } from '#kit/database.ts';
import { endGrantsOfApp } from '#reasons/grants/grants.ts';
import { followSync } from '#reasons/grants/published.ts';
import { forgetRevokedOfLeavers } from '#reasons/grants/revoked.ts';
import { followSuspensions } from '#reasons/suspensions/published.ts';
import { endSuspensionsOfApp } from '#reasons/suspensions/suspensions.ts';
import {
  endReferencesOfApp,
  forgetDeletedPeople,
  keepNamedPeople,
  moveReferencesOf,
  moveReferencesOfAccounts,
} from '#reference-hooks.ts';
import { endConnector } from '#work/connectors/connectors.ts';
import { findCarriers } from '#work/connectors/facts.ts';
import { endVanishedTasks } from '#work/fulfillment/hooks.ts';
import { fulfillByDefault } from '#work/fulfillment/settings.ts';
import { appHoldHooks } from '#work/provisioning/app-holds.ts';
import { grantersByTasks } from '#work/provisioning/granter-facts.ts';
import { holdGateHooks } from '#work/provisioning/hold-gate.ts';
import { endTasksOfApp, resumeRemovals, wakeTasks } from '#work/provisioning/hooks.ts';
import { judgeJoined, judgeNewAccounts } from '#work/provisioning/joined.ts';
import {
  cancelTasksOfMerged,
  endSuspensionsOfMerged,
  moveTasksOfAccounts,
} from '#work/provisioning/merge.ts';
import { planEndsOfMissing, removeOwed } from '#work/provisioning/owed.ts';
import { decidersHooks, holdOwnOfLinked, holdOwnOfMerged } from '#work/provisioning/own-afterwards.ts';
import { policyGateHooks } from '#work/provisioning/policy-gate.ts';
import { endFoundSuspensions } from '#work/provisioning/suspended.ts';
import { firstUploadHooks, type UploadHook } from '#work/spreadsheets/apply.ts';

/** Sets what features do in the transactions of lower layers, in the order of locks (ARCHITECTURE.md). */
export function setHooks(db: Db): void {
  peopleHooks.set(db, [
    deleteKeysOfDeletedPeople,
    recordMeansOfPeople,
    revokeKeysOfNewOwners,
    endSessionsOfDeactivated,
    resetSignInOfNewOwners,
    unlinkChangedEmails,
    guardPeople,
    reassignItemsOfLeavers,
    cancelTicketsOfLeavers,
    forgetRevokedOfLeavers,
    keepNamedPeople,
    keepLinksOfSucceeded,
    linkPeople,
    unlinkDeletedPeople,
    forgetDeletedPeople,
  ]);
  membersHooks.set(db, [guardMembers]);
  openingHooks.set(db, [waitForPolicies]);
  deletionLocks.set(db, [lockAppsNaming]);
  forgetSignInHooks.set(db, [forgetSignIn]);
  mergeHooks.set(db, [
    revokeKeysOfMerged,
    moveAppsOfMerged,
    moveReferencesOf('means', 'access', 'people', 'apps'),
    cancelTicketsOfMerged,
    moveReferencesOf('requests', 'reviews'),
    moveItemsOfMerged,
    moveAccountsOfMerged,
    moveReferencesOf('records', 'grants', 'suspensions'),
    cancelTasksOfMerged,
    endSuspensionsOfMerged,
    moveReferencesOf('provisioning', 'fulfillment', 'policies', 'findings', 'saved-queries'),
    holdOwnOfMerged,
  ]);
  archiveHooks.set(db, [
    endReferencesOfApp,
    endSessions,
    cancelTicketsOfApp,
    // Before the tasks, whose end would end the grants of what they give.
    endGrantsOfApp,
    endSuspensionsOfApp,
    endTasksOfApp,
    endConnector,
  ]);
  accountsLinkedHooks.set(db, [moveItemsOfLinked, holdOwnOfLinked]);
  decidersHooks.set(db, [decidersOfRequests]);
  grantersHooks.set(db, [grantersByTasks, grantersByRequests, grantersByReviews]);
  accountsHooks.set(db, [wakeTasks]);
  appHoldHooks.set(db, [keepAppHolds]);
  holdGateHooks.set(db, [gateTasks]);
  policyGateHooks.set(db, [decideAgain]);
  publishedHooks.set(db, [
    followSync,
    planEndsOfMissing,
    followSuspensions,
    endFoundSuspensions,
    judgeNewAccounts,
    resumeRemovals,
    removeOwed,
    endVanishedTasks,
  ]);
  accountsMergedHooks.set(db, [
    moveTasksOfAccounts,
    moveReferencesOfAccounts,
    judgeJoined,
    moveItemsOfAccounts,
  ]);
  firstUploadHooks.set(db, [letPeopleFulfill]);
}

/** Nothing but people can carry out the tasks of a spreadsheet, unless the app has a connector as well. */
const letPeopleFulfill: UploadHook = async (call, app) => {
  if ((await findCarriers(call, [app.id])).size === 0) await fulfillByDefault(call, app);
};
