import { plural, t } from '@lingui/core/macro';
import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query';
import { get, type Item as ItemOf } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { type Cycle, type Item, ownAfterwardsWords, UNUSED_DAYS } from './item.ts';

export const PATH = '/api/reviews/cycles/{cycle_id}/items/context/';
export type ItemContext = ItemOf<typeof PATH>;
export type Contexts = ReadonlyMap<string, ItemContext>;
type Peers = ItemContext['peers'][number];

/** The most items that the server takes in one request. A page has more once decided items stay on it. */
const AT_ONCE = 100;

/** The contexts that are loaded, and what kept the others from loading. */
interface Loaded {
  contexts: Contexts;
  error: unknown;
}

// Defined at module level so that useQueries returns the same object until a context changes.
const byItem = (answers: UseQueryResult<{ results: ItemContext[] }>[]): Loaded => ({
  contexts: new Map(
    answers.flatMap(({ data }) => data?.results.map((context) => [context.item, context]) ?? []),
  ),
  error: answers.find(({ isLoadingError }) => isLoadingError)?.error,
});

/** Returns the context of the items of a page, as far as it is loaded. Nobody decides an item without it. */
export function useContexts(cycle: Cycle, items: readonly Item[] | undefined): Loaded {
  const ids = (items ?? []).map(({ id }) => id);
  const starts = ids.keys().filter((at) => at % AT_ONCE === 0);
  return useQueries({
    queries: [...starts].map((at) => ({
      ...get(PATH, {
        path: { cycle_id: cycle.external_uuid },
        query: { items: ids.slice(at, at + AT_ONCE).join(',') },
      }),
      placeholderData: keepPreviousData,
    })),
    combine: byItem,
  });
}

/** "1 of 14 in Sales has it" */
export function peerWords({ group, name, of, have }: Peers): string {
  const value = name ?? '';
  if (group === 'manager')
    return plural(have, {
      one: `# of ${of} with the same manager has it`,
      other: `# of ${of} with the same manager have it`,
    });
  return group === 'department'
    ? plural(have, { one: `# of ${of} in ${value} has it`, other: `# of ${of} in ${value} have it` })
    : plural(have, {
        one: `# of ${of} with the title ${value} has it`,
        other: `# of ${of} with the title ${value} have it`,
      });
}

const FEW = 0.1;
const MIN_PEERS = 5;
const isRare = ({ of, have }: Peers) => of >= MIN_PEERS && have < of * FEW;

const unusedWords = (days: number) =>
  plural(days, { one: 'Not used for # day', other: 'Not used for # days' });

/** Returns what deviates in an item, in a few words each. Most items have nothing. */
export const deviations = (more: ItemContext | undefined): string[] =>
  (more?.deviations ?? []).map((one) => deviationWords(one, more));

type Deviation = ItemContext['deviations'][number];

/** Returns the words for a deviation. Those that have numbers use them if they are given. */
export function deviationWords(
  deviation: Deviation,
  more?: Partial<Pick<ItemContext, 'unused_days' | 'peers'>>,
): string {
  const rare = more?.peers?.find(isRare);
  const words = {
    person_left: t`Left the company`,
    not_used: unusedWords(more?.unused_days ?? UNUSED_DAYS),
    few_peers: rare === undefined ? t`Few peers have it` : peerWords(rare),
    revoked_before: t`Revoked in an earlier review`,
    high_risk: t`High risk`,
    suspended: t`Account suspended`,
    never_active: t`Account was never active`,
    account_gone: t`Account no longer exists`,
    never_seen: t`Never seen by a sync`,
    orphaned: t`Orphaned account`,
    own_afterwards: ownAfterwardsWords,
  } satisfies Record<Deviation, string>;
  return words[deviation];
}

/** The recommendation with its reasons: "Recommended: revoke. Reason: 2 of 30 with the same manager have it" */
export function recommendationWords(more: ItemContext | undefined): string | undefined {
  if (more?.recommendation == null) return undefined;
  return inWords(more.recommendation.decision, reasonsOf(more));
}

/** The recommendation with the reasons that the deviations do not give: "Recommended: revoke" if they give all. */
export function shortRecommendation(more: ItemContext | undefined, deviating: readonly string[]) {
  if (more?.recommendation == null) return undefined;
  return inWords(
    more.recommendation.decision,
    reasonsOf(more).filter((reason) => !deviating.includes(reason)),
  );
}

function inWords(decision: 'keep' | 'revoke', all: readonly string[]): string {
  if (all.length === 0) return decision === 'keep' ? t`Recommended: keep` : t`Recommended: revoke`;
  const reasons = listed(all, 'unit');
  return decision === 'keep'
    ? t`Recommended: keep. Reason: ${reasons}`
    : t`Recommended: revoke. Reason: ${reasons}`;
}

function reasonsOf({ recommendation, unused_days, peers }: ItemContext): string[] {
  const days = unused_days ?? 0;
  const rare = peers.find(isRare);
  const usual = peers.find(({ of, have }) => of >= MIN_PEERS && have > of / 2);
  const words = {
    person_left: t`Left the company`,
    not_used: unusedWords(days),
    few_peers: rare === undefined ? t`Few peers have it` : peerWords(rare),
    most_peers:
      usual === undefined ? t`Most peers have it, and it was used recently` : usedAnd(peerWords(usual), days),
  };
  return (recommendation?.reasons ?? []).map((reason) => words[reason]);
}

const usedAnd = (peers: string, days: number) =>
  plural(days, {
    0: `${peers}, used today`,
    one: `${peers}, used # day ago`,
    other: `${peers}, used # days ago`,
  });
