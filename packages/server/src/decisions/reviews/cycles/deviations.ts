import type { Decision } from '../campaigns/cycle.ts';
import { isFew, type Peers, UNUSED_DAYS } from './recommend.ts';

/** The reasons for which a reviewer should look at an item. Items without any can be kept together. */
export const DEVIATIONS = [
  'person_left',
  'not_used',
  'few_peers',
  'revoked_before',
  'high_risk',
  'suspended',
  'never_active',
  'account_gone',
  'never_seen',
  'orphaned',
  'own_afterwards',
] as const;
export type Deviation = (typeof DEVIATIONS)[number];

/** The state of an item that can deviate. `risk` is that of its group. */
export interface ItemState {
  decision: Decision | null;
  person_left: boolean;
  unused_days: number | null;
  risk: 'low' | 'medium' | 'high' | null;
  account_status: string;
  last_seen_at: Date | null;
  /** Whether the account has neither a person nor an owner. */
  orphaned: boolean;
  own_afterwards: boolean;
}

/** The access of other people and the earlier decisions with which an item is compared. */
interface Compared {
  peers: readonly Peers[];
  prior: readonly { decision: Decision }[];
}

export function deviationsOf(state: ItemState, { peers, prior }: Compared): Deviation[] {
  const is: Record<Deviation, boolean> = {
    person_left: state.person_left,
    not_used: state.unused_days !== null && state.unused_days >= UNUSED_DAYS,
    few_peers: peers.some(isFew),
    revoked_before: prior.some(({ decision }) => decision === 'revoke'),
    high_risk: state.risk === 'high',
    suspended: state.account_status === 'SUSPENDED',
    never_active: state.account_status === 'INVITED',
    account_gone: state.account_status === 'INACTIVE' && state.decision !== 'revoke',
    never_seen: state.last_seen_at === null,
    orphaned: state.orphaned,
    own_afterwards: state.own_afterwards,
  };
  return DEVIATIONS.filter((one) => is[one]);
}
