import { type UndecidedPeople, UndecidedSubjects } from '#directory/people/undecided.ts';
import { type SignsNotIn, withoutSignIn } from '#directory/sign-in/credentials/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import type { Campaign } from '../campaigns/facts.ts';
import { countItems } from '../campaigns/queries/scope.ts';
import { conditionOf, inScope, reviewingPeople } from './open.ts';
import {
  type Delicate,
  type HighRiskGroup,
  highRiskGroupsOf,
  lastMembersAmong,
  ownAccountsAmong,
} from './queries/delicate.ts';
import { reviewersOfAccounts } from './queries/new-items.ts';
import { nextAccounts } from './queries/open.ts';

export interface Preview {
  accounts: number;
  items: number;
  /** Whether there are further accounts, which were not counted. */
  more: boolean;
  /** Reviewers who have no way to sign in. */
  cannot_sign_in: SignsNotIn[];
  /** The items for which nobody is named, or nobody who can sign in. Without a response, on_no_response decides them. */
  without_reviewer: number;
  /** Accounts with which connectors sign in. They can only be kept (D66). */
  own_accounts: Some<Delicate>;
  /** Only members of groups whose risk is high. Silence does not remove them (D66). */
  last_members: Some<Delicate>;
  /** Groups whose risk is high and whose members are all reviewed. Silence removes all of them but one (D66). */
  one_stays: Some<HighRiskGroup>;
  /** People whom the condition of the scope does not decide. */
  undecided: UndecidedPeople;
}

interface Some<T> {
  count: number;
  /** At most 20. */
  results: T[];
}

const SHOWN = 20;
const some = <T>(all: readonly T[]): Some<T> => ({ count: all.length, results: all.slice(0, SHOWN) });

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
  const own: Delicate[] = [];
  const last: Delicate[] = [];
  const highRisk = new Map<string, HighRiskGroup & { taken: number }>();
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
