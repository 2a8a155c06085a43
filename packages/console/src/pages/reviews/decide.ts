import { api, ok, useChange } from '../../api/client.ts';
import type { Decision } from './item.ts';

/** Decides these items, all or none. */
export const sendDecision = (cycle_id: string, items: string[], decision: Decision, comment: string | null) =>
  ok(
    api.POST('/api/reviews/cycles/{cycle_id}/decisions/', {
      params: { path: { cycle_id } },
      body: { items, decision, comment },
    }),
  );

interface Verdict {
  item: string;
  decision: Decision;
  comment: string | null;
}

export const useDecide = (cycleId: string) =>
  useChange(({ item, decision, comment }: Verdict) => sendDecision(cycleId, [item], decision, comment));
