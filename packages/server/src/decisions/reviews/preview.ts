import { type SignsNotIn, withoutSignIn } from '../../directory/access/sign-in/without-sign-in.ts';
import { type UndecidedPeople, UndecidedSubjects } from '../../directory/people/undecided.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { getCampaign } from './campaigns.ts';
import { conditionOf, inScope, reviewingPeople } from './open.ts';
import { countItems, nextAccounts, reviewersOfAccounts } from './queries/open.ts';

export interface Preview {
  accounts: number;
  items: number;
  /** Whether there are further accounts, which were not counted. */
  more: boolean;
  /** Reviewers who have no way to sign in. */
  cannot_sign_in: SignsNotIn[];
  /** People whom the condition of the scope does not decide. */
  undecided: UndecidedPeople;
}

const CHUNK = 2000;
/** Counting further would take longer than anybody waits for a page. */
const MOST_CHUNKS = 10;

/**
 * Counts the items that a cycle of the campaign would have if it opened now, and finds its reviewers who cannot sign in.
 * Looks at up to 20,000 accounts.
 */
export async function previewCampaign(db: OrgDb, campaignId: string): Promise<Preview> {
  const { settings } = await getCampaign(db, campaignId);
  const condition = conditionOf({ settings });
  const people = await reviewingPeople(db, { settings });
  const counted = { accounts: 0, items: 0 };
  const reviewers = new Set<string>();
  const undecided = new UndecidedSubjects();
  const result = async (more: boolean) => ({
    ...counted,
    more,
    cannot_sign_in: await withoutSignIn(db, [...reviewers]),
    undecided: undecided.found(),
  });
  let last_account: string | null = null;
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
    const accounts = await nextAccounts(db, { id: null, settings, last_account }, CHUNK);
    const { matching: ids, undecided: unclear } = await inScope(accounts, condition);
    for (const { user, decision } of unclear) undecided.add(user.id, user, decision);
    counted.accounts += ids.length;
    counted.items += ids.length === 0 ? 0 : await countItems(db, settings.scope, ids);
    for (const id of await reviewersOfAccounts(db, settings, ids, people)) reviewers.add(id);
    if (accounts.length < CHUNK) return result(false);
    last_account = accounts.at(-1)?.id ?? null;
  }
  return result(true);
}
