import { plural, t } from '@lingui/core/macro';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { api, type List, ok, useChange } from '../../api/client.ts';
import { offerUndo } from '../../kit/controls/undo.tsx';
import { type Cycle, type Decision, type Item, itemWords } from './item.ts';
import { countDecision, reasonOfBurst } from './pace.ts';

/** Decides all of these items, or none if the server rejects one. Null makes them undecided again. */
export const sendDecision = (
  cycle_id: string,
  items: string[],
  decision: Decision | null,
  comment: string | null,
  /** Fails if somebody else has decided one of the items since. */
  only_own = false,
  /** Removes what gives the access instead, if it is derived. */
  at_giver = false,
  /** Fails if one of the items deviates now, or was decided since. */
  without_deviations = false,
) =>
  ok(
    api.POST('/api/reviews/cycles/{cycle_id}/decisions/', {
      params: { path: { cycle_id } },
      body: { items, decision, comment, only_own, at_giver, without_deviations },
    }),
  );

interface Deciding {
  /** The items before the decision. */
  items: Item[];
  decision: Decision;
  comment: string | null;
  atGiver?: boolean;
  /** Whether these are the items without deviations, which are decided in one step. */
  together?: boolean;
}

/**
 * Decides items, and offers to take it back while the server can: until the cooling-off ends, to an earlier decision or,
 * in an open cycle, to none. Without a comment, decisions have the reason of their burst, if one was given.
 */
export function useDecide({ external_uuid, cooling_off_hours }: Cycle) {
  const client = useQueryClient();
  const decide = async ({ items, decision, comment, atGiver, together }: Deciding) => {
    const ids = items.map(({ id }) => id);
    const said = comment ?? reasonOfBurst();
    const { status } = await sendDecision(external_uuid, ids, decision, said, false, atGiver, together);
    await show(client, ids, { decision, comment: said, isNew: true });
    const isOpen = status === 'in_progress';
    const isFinal = cooling_off_hours === 0 && !(isOpen && decision === 'keep');
    if (isFinal || (!isOpen && items.some((item) => item.decision === null))) return;
    offerLatest(decidedWords(items, decision), async () => {
      for (const before of Map.groupBy(items, stateOf).values()) {
        const [first] = before;
        if (first !== undefined)
          await sendDecision(
            external_uuid,
            before.map(({ id }) => id),
            first.decision,
            first.comment,
            true,
          );
      }
      await client.invalidateQueries();
    });
  };
  return useChange(decide, {
    before: ({ items, together = false }) => {
      // The step has its own reason, and says nothing about how fast somebody reads.
      if (!together) for (const _ of items) countDecision();
    },
    // Two quick decisions about an item must not overtake each other.
    inOrder: 'decisions',
  });
}

/** Shows a decision in the rows that are loaded, before they are read again. */
async function show(client: QueryClient, ids: string[], change: Partial<Item>): Promise<void> {
  const lists = { queryKey: ['/api/reviews/cycles/{cycle_id}/items/'] };
  await client.cancelQueries(lists);
  const decided = new Set(ids);
  client.setQueriesData<{ results: Item[] }>(
    lists,
    (page) =>
      page && {
        ...page,
        results: page.results.map((item) => (decided.has(item.id) ? { ...item, ...change } : item)),
      },
  );
}

/**
 * Keeps items in place that were just decided and no longer match the filter: a list that changes under the pointer and the
 * focus leads to decisions about the wrong item.
 */
export function keepDecided(list: List<Item>): List<Item> {
  return {
    ...list,
    keep: (shown, next) => {
      const results = [...next.results];
      let before = -1;
      for (const item of shown.results) {
        const at = results.findIndex(({ id }) => id === item.id);
        if (at !== -1) before = at;
        else if (item.isNew) results.splice(++before, 0, item);
      }
      return { ...next, count: next.count + results.length - next.results.length, results };
    },
  };
}

const stateOf = ({ decision, comment }: Item) => JSON.stringify([decision, comment]);

function decidedWords(items: Item[], decision: Decision): string {
  const [first] = items;
  if (items.length === 1 && first !== undefined) {
    const item = itemWords(first);
    return decision === 'keep' ? t`Kept: ${item}` : t`Revoked: ${item}`;
  }
  const count = items.length;
  return decision === 'keep'
    ? plural(count, { one: '# item kept', other: '# items kept' })
    : plural(count, { one: '# item revoked', other: '# items revoked' });
}

let hideLatest: (() => void) | undefined;

/** Offers to undo the latest decision only: somebody who decides quickly does not cover the page with messages. */
function offerLatest(message: string, undo: () => Promise<unknown>): void {
  hideLatest?.();
  hideLatest = offerUndo({ message, undo });
}
