import type { Db } from '../platform/database/open.ts';
import { filterInTurns } from '../platform/pacer.ts';
import { getCampaign } from './campaigns.ts';
import { conditionOf } from './open.ts';
import { countItems, nextAccounts } from './queries/open.ts';

export interface Preview {
  accounts: number;
  items: number;
  /** Whether there are further accounts, which were not counted. */
  more: boolean;
}

const CHUNK = 2000;
/** Counting further would take longer than anybody waits for a page. */
const MOST_CHUNKS = 10;

/** Counts the items that a cycle of the campaign would have if it opened now. Looks at up to 20,000 accounts. */
export async function previewCampaign(db: Db, orgId: string, campaignId: string): Promise<Preview> {
  const { settings } = await getCampaign(db, orgId, campaignId);
  const condition = conditionOf({ settings });
  const counted = { accounts: 0, items: 0 };
  let last_account: string | null = null;
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
    const accounts = await nextAccounts(db, orgId, { id: null, settings, last_account }, CHUNK);
    const matching = await filterInTurns(
      accounts,
      ({ user }) => condition === null || (user !== null && condition.matches({ user })),
    );
    const ids = matching.map(({ id }) => id);
    counted.accounts += ids.length;
    counted.items += ids.length === 0 ? 0 : await countItems(db, orgId, settings.scope, ids);
    if (accounts.length < CHUNK) return { ...counted, more: false };
    last_account = accounts.at(-1)?.id ?? null;
  }
  return { ...counted, more: true };
}
