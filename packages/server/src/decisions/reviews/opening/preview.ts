import { UndecidedSubjects } from '#directory/people/undecided.ts';
import { withoutSignIn } from '#directory/sign-in/credentials/facts.ts';
import { appReference } from '#inventory/apps/reference.ts';
import type { OrgDb } from '#kit/database.ts';
import { requireScope } from '../campaigns/campaigns.ts';
import type { Settings } from '../campaigns/cycle.ts';
import type { Campaign } from '../campaigns/facts.ts';
import { countItems } from '../campaigns/queries/scope.ts';
import { deviationsOf } from '../cycles/deviations.ts';
import { conditionOf, inScope, reviewingPeople } from './open.ts';
import type { CampaignPreview, DelicateAccount, DelicateGroup, PossibleItem } from './preview-schema.ts';
import { highRiskGroupsOf, lastMembersAmong, ownAccountsAmong } from './queries/delicate.ts';
import { possibleItems, type Reviewing, reviewersOfAccounts } from './queries/new-items.ts';
import { nextAccounts } from './queries/open.ts';

const SHOWN = 20;
const some = <T>(all: readonly T[]) => ({ count: all.length, results: all.slice(0, SHOWN) });

const FIRST = 10;

const CHUNK = 2000;
/** Counting further would take longer than anybody waits for a page. */
const MOST_CHUNKS = 10;

/**
 * Counts the items that a cycle of the campaign would have if it opened now, and finds reviewers who cannot sign in, and
 * accounts that must not go.
 * Looks at up to 20,000 accounts.
 */
export async function previewCampaign(
  db: OrgDb,
  { settings }: Pick<Campaign, 'settings'>,
  /** Whether the caller still waits. Otherwise, nothing more is counted. */
  isWanted: () => boolean,
): Promise<CampaignPreview> {
  const condition = conditionOf({ settings });
  const people = await reviewingPeople(db, { settings });
  const counted = { accounts: 0, items: 0 };
  const groups: { reviewers: string[]; items: number }[] = [];
  const own: DelicateAccount[] = [];
  const last: DelicateAccount[] = [];
  const highRisk = new Map<string, DelicateGroup & { taken: number }>();
  const undecided = new UndecidedSubjects();
  const holders = new Set<string>();
  const found = { deviating: 0, items: [] as PossibleItem[] };
  const result = async (more: boolean) => {
    const named = [...new Set(groups.flatMap(({ reviewers }) => reviewers))];
    const unable = await withoutSignIn(db, named);
    const ids = new Set(unable.map(({ external_uuid }) => external_uuid));
    const alone = groups.filter(({ reviewers }) => reviewers.every((id) => ids.has(id)));
    return {
      ...counted,
      people: holders.size,
      reviewers: named.length,
      by_administrators: sumOf(groups.filter(({ reviewers }) => reviewers.length === 0)),
      with_deviations: found.deviating,
      first: found.items,
      more,
      cannot_sign_in: unable.slice(0, SHOWN),
      without_reviewer: sumOf(alone),
      own_accounts: some(own),
      last_members: some(last),
      one_stays: some([...highRisk.values()].filter(({ taken, members }) => members > 1 && taken >= members)),
      undecided: undecided.found(),
    };
  };
  let last_account: string | null = null;
  for (let chunk = 0; chunk < MOST_CHUNKS && isWanted(); chunk += 1) {
    const accounts = await nextAccounts(db, { id: null, settings, last_account }, CHUNK);
    const { matching: ids, undecided: unclear } = await inScope(accounts, condition);
    const matching = new Set(ids);
    for (const { user, decision } of unclear) undecided.add(user.id, user, decision);
    for (const { id, user } of accounts) if (user !== null && matching.has(id)) holders.add(user.id);
    counted.accounts += ids.length;
    counted.items += ids.length === 0 ? 0 : await countItems(db, settings.scope, ids);
    groups.push(...(await reviewersOfAccounts(db, settings, ids, people)));
    const possible = await itemsAmong(db, settings, ids, people);
    found.deviating += possible.deviating;
    found.items = deviatingFirst([...found.items, ...possible.items]);
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

/** Counts the items of settings that are not saved, after the same checks. */
export async function previewSettings(
  db: OrgDb,
  settings: Settings,
  isWanted: () => boolean,
): Promise<CampaignPreview> {
  await requireScope(db, settings);
  return previewCampaign(db, { settings }, isWanted);
}

const sumOf = (groups: readonly { items: number }[]) => groups.reduce((sum, { items }) => sum + items, 0);

/** Returns the first items of these accounts, and how many of all deviate. */
async function itemsAmong(db: OrgDb, settings: Settings, ids: string[], people: Reviewing) {
  const rows = ids.length === 0 ? [] : await possibleItems(db, settings, ids, { people, limit: FIRST });
  let deviating = 0;
  const items = rows.map((row) => {
    const state = { ...row, decision: null, own_afterwards: false };
    const deviations = deviationsOf(state, { peers: [], prior: [] });
    // All items that are alike have the same deviations.
    if (row.is_first && deviations.length > 0) deviating += row.alike;
    const { kind, account, resource, user, reviewers, unused_days } = row;
    const app = appReference(row.app_id, row.app_name);
    return { kind, app, account, resource, user, reviewers, unused_days, deviations };
  });
  return { deviating, items };
}

const deviatingFirst = (items: PossibleItem[]) =>
  [
    ...items.filter(({ deviations }) => deviations.length > 0),
    ...items.filter(({ deviations }) => deviations.length === 0),
  ].slice(0, FIRST);
