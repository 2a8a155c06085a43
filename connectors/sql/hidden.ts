import { type ListContext, openTally, type Unseen } from '@gatehouse/connector';
import type { Holdings } from './holdings.ts';
import type { Plan, TypePlan } from './plan.ts';
import { UNLISTED_GROUP } from './spool.ts';

/** Counts of the last list of each account type. Several types can be members of one group. */
export type Hidden = Map<string, Unseen[]>;

type Listed = { hidden: Hidden; plan: Plan; type: TypePlan; holdings: Holdings };

/** Reports the grants whose accounts or groups no query of the definition returns. */
export function reportHidden(
  { hidden, plan: { types }, type, holdings: { spool, missing } }: Listed,
  unseen: ListContext['unseen'],
): void {
  const rule = 'filter';
  const counted = (member: string): Unseen[] => spool.hidden(member).map((each) => ({ ...each, rule }));
  const own = counted(type.slug);
  // Groups that no list has are the same for each account type.
  if (types.find(({ kind }) => kind === 'account') === type) {
    own.push(...counted(UNLISTED_GROUP));
    for (const [slug, names] of missing) own.push({ slug, rule, count: names.size });
  }
  hidden.set(type.slug, own);
  const all = openTally();
  for (const each of [...hidden.values()].flat()) all.add(each);
  all.report(unseen);
}
