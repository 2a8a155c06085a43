import { UndecidedSubjects } from '#directory/people/undecided.ts';
import { withoutSignIn } from '#directory/sign-in/credentials/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import type { Campaign } from '../campaigns/facts.ts';
import { countItems } from '../campaigns/queries/scope.ts';
import { conditionOf, inScope, reviewingPeople } from './open.ts';
import type { DelicateAccount, DelicateGroup, Preview } from './preview-schema.ts';
import { highRiskGroupsOf, lastMembersAmong, ownAccountsAmong } from './queries/delicate.ts';
import { reviewersOfAccounts } from './queries/new-items.ts';
import { nextAccounts } from './queries/open.ts';

const SHOWN = 20;
const some = <T>(all: readonly T[]) => ({ count: all.length, results: all.slice(0, SHOWN) });

const CHUNK = 2000;
/** Counting further would take longer than anybody waits for a page. */
const MOST_CHUNKS = 10;

/**
 * Counts the items that a cycle of the campaign would have if it opened now, and finds reviewers who cannot sign in, and
 * accounts that must not go.
 * Looks at up to 20,000 accounts.
 */
export async function previewCampaign(db: OrgDb, { settings }: Pick<Campaign, 'settings'>): Promise<Preview> {
  const condition = conditionOf({ settings });
  const people = await reviewingPeople(db, { settings });
  const counted = { accounts: 0, items: 0 };
  const groups: { reviewers: string[]; items: number }[] = [];
  const own: DelicateAccount[] = [];
  const last: DelicateAccount[] = [];
  const highRisk = new Map<string, DelicateGroup & { taken: number }>();
  const undecided = new UndecidedSubjects();
  const result = async (more: boolean) => {
    const unable = await withoutSignIn(db, [...new Set(groups.flatMap(({ reviewers }) => reviewers))]);
    const ids = new Set(unable.map(({ external_uuid }) => external_uuid));
    const alone = groups.filter(({ reviewers }) => reviewers.every((id) => ids.has(id)));
    return {
      ...counted,
      more,
      cannot_sign_in: unable.slice(0, SHOWN),
      without_reviewer: alone.reduce((sum, { items }) => sum + items, 0),
      own_accounts: some(own),
      last_members: some(last),
      one_stays: some([...highRisk.values()].filter(({ taken, members }) => members > 1 && taken >= members)),
      undecided: undecided.found(),
    };
  };
  let last_account: string | null = null;
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
    const accounts = await nextAccounts(db, { id: null, settings, last_account }, CHUNK);
    const { matching: ids, undecided: unclear } = await inScope(accounts, condition);
    for (const { user, decision } of unclear) undecided.add(user.id, user, decision);
    counted.accounts += ids.length;
    counted.items += ids.length === 0 ? 0 : await countItems(db, settings.scope, ids);
    groups.push(...(await reviewersOfAccounts(db, settings, ids, people)));
    own.push(...(await ownAccountsAmong(db, settings.scope, ids)));
    last.push(...(await lastMembersAmong(db, ids)));
    for (const group of await highRiskGroupsOf(db, settings.scope, ids)) {
      const taken = (highRisk.get(group.external_uuid)?.taken ?? 0) + group.taken;
      highRisk.set(group.external_uuid, { ...group, taken });
    }
    if (accounts.length < CHUNK) return result(false);
    last_account = accounts.at(-1)?.id ?? null;
  }
  return result(true);
}
