import { api, ok, useChange } from '../../api/client.ts';
import type { Decision } from './item.ts';

/** Decides all of these items, or none if the server rejects one. */
export const sendDecision = (cycle_id: string, items: string[], decision: Decision, comment: string | null) =>
  ok(
    api.POST('/api/reviews/cycles/{cycle_id}/decisions/', {
      params: { path: { cycle_id } },
      body: { items, decision, comment },
    }),
  );

interface ItemDecision {
  item: string;
  decision: Decision;
  comment: string | null;
}

export const useDecide = (cycleId: string) =>
  useChange(({ item, decision, comment }: ItemDecision) => sendDecision(cycleId, [item], decision, comment));
