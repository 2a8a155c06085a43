import { MOST_SHOWN } from '#directory/people/undecided.ts';
import type { Derived } from '#inventory/records/accounts/derived-facts.ts';
import type { Proposal } from '#proposals/propose.ts';
import type { DraftTask } from './effects.ts';

/** Access that a policy would revoke and that stays, because something else gives it (D68). */
export interface KeptAccess {
  account_id: string;
  email: string;
  app_name: string;
  resource: string;
  via: Derived['giver'];
}

/** The number of kept accesses, and the first of them. */
export interface SomeKept {
  count: number;
  kept: KeptAccess[];
}

/** Adds kept access, of which only what is shown stays in memory. */
export const addKept = ({ count, kept }: SomeKept, more: readonly KeptAccess[]): SomeKept => ({
  count: count + more.length,
  kept: [...kept, ...more.slice(0, MOST_SHOWN - kept.length)],
});

export const NOTHING_KEPT: SomeKept = { count: 0, kept: [] };

/** Returns what a proposal left out because something else gives it. */
export const keptIn = ({ verdicts }: Proposal<DraftTask>): KeptAccess[] =>
  verdicts.derived.flatMap(({ change, result: { one, isCovered } }) =>
    isCovered
      ? []
      : [
          {
            account_id: one.account_id,
            email: change.account?.email ?? '',
            app_name: change.app.name,
            resource: one.name,
            via: one.giver,
          },
        ],
  );
