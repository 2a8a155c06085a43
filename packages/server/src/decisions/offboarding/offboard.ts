import { handOverTickets } from '#decisions/requests/hand-over.ts';
import { replaceInCampaigns } from '#decisions/reviews/campaigns/campaigns.ts';
import { handOverAllItems } from '#decisions/reviews/deciding/hand-over.ts';
import { revokeKeysOfPerson } from '#directory/access/keys.ts';
import { depart, lockLeaver } from '#directory/people/departure.ts';
import { handOverDeputies } from '#directory/people/hand-over-deputies.ts';
import { runHooks } from '#directory/people/save.ts';
import { holdApps, lockAppsNaming } from '#inventory/apps/facts.ts';
import { replaceInApps } from '#inventory/apps/merge.ts';
import type { AccountView } from '#inventory/records/accounts/account-view.ts';
import { liveAccountsOf } from '#inventory/records/accounts/accounts.ts';
import { countOwnedEntitlements } from '#inventory/records/accounts/leaver-facts.ts';
import { handOverAccounts } from '#inventory/records/accounts/owners.ts';
import { transaction } from '#kit/database.ts';
import { type Call, type CallTx, requireAllApps } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { handOverTasks } from '#work/fulfillment/reassign.ts';
import { replaceFulfiller } from '#work/fulfillment/settings.ts';
import { choicesOf, removeAccounts } from './accounts.ts';
import type { Offboarding, Wanted } from './schemas.ts';
import { offboardRefusals } from './sentences.ts';
import { successorsOf } from './successors.ts';

const MOST_ACCOUNTS = 1000;

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  readonly result: Offboarding;
  constructor(result: Offboarding) {
    super('dry run');
    this.result = result;
  }
}

/**
 * Ends what a person has and does here, in one transaction: deactivates them, which ends their sessions; revokes their keys; orders the
 * suspension and the deletion of their accounts; and hands over what others wait for. Somebody who has left already only loses what they still
 * have. A dry run does the same and rolls it back.
 */
export async function offboard(call: Call, userId: string, wanted: Wanted): Promise<Offboarding> {
  requireAllApps(call.principal, 'offboarding people');
  if (userId.toLowerCase() === call.principal.userId) throw offboardRefusals.own_offboarding();
  try {
    return await transaction(call, (tx) => offboardIn(tx, userId, wanted));
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

async function offboardIn(tx: CallTx, userId: string, wanted: Wanted): Promise<Offboarding> {
  const { dry_run = true, reason: words, reference, revoke_keys = true } = wanted;
  const reason = reference ? `${words} (${reference})` : words;
  const person = await lockLeaver(tx, userId);
  const { id } = person;
  const to = await successorsOf(tx, id, wanted.hand_over ?? {});
  // Reviews lock their campaigns and cycles before apps.
  const campaigns = await replaceInCampaigns(tx, id, to.decisions);
  const items = await handOverAllItems(tx, id, to.decisions, reason);
  await lockAppsNaming(tx, id);
  const accounts = await accountsOf(tx, id);
  const choices = choicesOf(accounts, wanted);
  const approvals = await handOverTickets(tx, id, to.decisions, reason);
  const apps = await replaceInApps(tx, tx.cause, id, to.apps, false);
  const reports = await depart(tx, person, { managerId: to.reports, reason });
  const left = await runHooks(tx, reports.events);
  const keys = revoke_keys ? await revokeKeysOfPerson(tx, tx.cause, id) : [];
  const owned = await handOverAccounts(tx, id, to.accounts);
  const removed = await removeAccounts(tx, accounts, choices, { reason, isDry: dry_run });
  const deputies = await handOverDeputies(tx, id, to.decisions);
  // Before the open tasks: only a fulfiller of their app can take them.
  const fulfillment = await replaceFulfiller(tx, id, to.decisions);
  const tasks = await handOverTasks(tx, id, to.decisions, reason);
  const entitlements = await countOwnedEntitlements(tx, id);
  const count = ({ found, moved }: { found: number; moved: number }) => ({ found, moved });
  const result: Offboarding = {
    dry_run,
    user: id,
    accounts: removed.accounts,
    handed_over: {
      ...{ accounts: count(owned), apps: count(apps), reports: count(reports) },
      ...{ approvals: count(approvals), review_items: count(items), tasks: count(tasks) },
      ...{ deputies: count(deputies), fulfillment: count(fulfillment), campaigns: count(campaigns) },
      entitlements: { found: entitlements, moved: 0 },
    },
    revoked_keys: keys.length,
  };
  if (dry_run) throw new DryRun(result);
  const decisions = [campaigns, items, approvals, deputies, fulfillment, tasks];
  const handedOver = [...decisions, apps, owned].flatMap(({ events }) => events);
  await recordEvents(tx, [...left, ...keys, ...handedOver, ...removed.events]);
  return result;
}

/** Returns the accounts that a person could use, and keeps their apps from being published into. Those of archived apps are left out. */
async function accountsOf(tx: CallTx, userId: string): Promise<AccountView[]> {
  const found = await liveAccountsOf(tx, userId, MOST_ACCOUNTS + 1);
  if (found.length > MOST_ACCOUNTS) throw offboardRefusals.too_many_accounts({ most: MOST_ACCOUNTS });
  const apps = await holdApps(tx, [...new Set(found.map(({ app_id }) => app_id))]);
  return found.filter(({ app_id }) => apps.has(app_id));
}
