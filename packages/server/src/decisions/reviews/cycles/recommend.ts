import type { Decision } from '../campaigns/cycle.ts';

export const REASONS = ['person_left', 'not_used', 'few_peers', 'most_peers'] as const;
export type Reason = (typeof REASONS)[number];

export const PEER_GROUPS = ['manager', 'department', 'title'] as const;

/** The active people with the same manager, department or title as a person, without the person. */
export interface Peers {
  group: (typeof PEER_GROUPS)[number];
  /** The department or title. Null for a manager. */
  name: string | null;
  of: number;
  have: number;
}

export interface Recommendation {
  decision: Decision;
  reasons: Reason[];
}

export interface Signs {
  person_left: boolean;
  /** Days since the account was last used. Null if the app does not say. */
  unused_days: number | null;
  peers: Peers[];
}

/** An account that was not used for so many days deviates. */
export const UNUSED_DAYS = 90;
const RECENT_DAYS = 30;
/** Smaller groups say too little for a recommendation. */
const TELLING_PEERS = 5;
const FEW = 0.1;
const MOST = 0.5;

/** Whether few people of a group have the access, and the group is large enough to say so. */
export const isFew = ({ have, of }: Pick<Peers, 'have' | 'of'>): boolean =>
  of >= TELLING_PEERS && have < of * FEW;

/**
 * Recommends to revoke access if its person left, if it was not used for 90 days, or if fewer than 10 % of the peers have it
 * and it was not used in the last 30 days; to keep it if more than half of the peers have it and it was used in the last 30
 * days. Returns null otherwise: there is no recommendation without a reason.
 */
export function recommend({ person_left, unused_days, peers }: Signs): Recommendation | null {
  const telling = peers.filter(({ of }) => of >= TELLING_PEERS);
  const isRecent = unused_days !== null && unused_days <= RECENT_DAYS;
  const isRare = telling.length > 0 && telling.every(isFew);
  const isUsual = telling.some(({ have, of }) => have > of * MOST);
  const reasons: Reason[] = [];
  if (person_left) reasons.push('person_left');
  if (unused_days !== null && unused_days >= UNUSED_DAYS) reasons.push('not_used');
  if (isRare && !isRecent) reasons.push('few_peers');
  if (reasons.length > 0) return { decision: 'revoke', reasons };
  return isUsual && isRecent ? { decision: 'keep', reasons: ['most_peers'] } : null;
}
