import { plural, t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { listed } from '../../kit/text/listed.ts';
import type { RestoreSearch } from './search.ts';

type Post = paths['/api/restore/']['post'];
type Body = Post['requestBody']['content']['application/json'];
export type Plan = Post['responses'][200]['content']['application/json'];
export type PlannedTask = Plan['results'][number];
export type Skipped = Plan['skipped'][number];

/** The part of the request that a plan belongs to. */
export type Wanted = Pick<
  Body,
  'users' | 'accounts' | 'app' | 'as_of' | 'include_possible' | 'include_decided' | 'items'
>;

export type LostBy = NonNullable<PlannedTask['lost_by']>;

/** Decisions and single access that a restore includes although decisions took it away. */
export interface Chosen {
  decisions: readonly string[];
  items: NonNullable<Body['items']>;
}

export const NOTHING_CHOSEN: Chosen = { decisions: [], items: [] };

/** Access that a decision took away: a group or license, or the account itself. */
export type Decided = Pick<PlannedTask, 'app' | 'account' | 'user' | 'action'> & {
  id: string;
  lost_by: LostBy;
  included: boolean;
  ends_at: string | null;
  resource: PlannedTask['resources'][number] | null;
};

/** Returns the tasks of a plan without what decisions took away and the plan leaves out. */
export const restoredTasks = ({ results }: Plan): PlannedTask[] =>
  results.flatMap((task) => {
    const resources = task.resources.filter(({ lost_by, included }) => lost_by === null || included);
    const isLeftOut =
      task.action === 'update_account' ? resources.length === 0 : task.lost_by !== null && !task.included;
    return isLeftOut ? [] : [{ ...task, resources }];
  });

/** Returns what decisions took away, one for each access. */
export const decidedAccess = ({ results }: Plan): Decided[] =>
  results.flatMap(({ app, account, user, action, resources, lost_by, included, ends_at }) => {
    const of = { app, account, user, action };
    const own = action === 'update_account' ? null : lost_by;
    return [
      ...(own === null
        ? []
        : [{ ...of, id: `${account.id} ${action}`, lost_by: own, included, ends_at, resource: null }]),
      ...resources.flatMap((one) =>
        one.lost_by === null
          ? []
          : [
              {
                ...of,
                ...{ id: `${account.id} ${one.entitlement_id}`, lost_by: one.lost_by, resource: one },
                ...{ included: one.included, ends_at: one.ends_at },
              },
            ],
      ),
    ];
  });

/** Returns the scope of an address as the API takes it, or undefined if there is none. */
export function scopeOf({ user, account, app }: RestoreSearch): Omit<Wanted, 'as_of'> | undefined {
  if (user !== undefined) return { users: [user] };
  if (account !== undefined) return { accounts: [account] };
  return app === undefined ? undefined : { app };
}

export const showPlan = (wanted: Wanted) => ok(api.POST('/api/restore/', { body: wanted }));

export const applyPlan = (wanted: Wanted, { plan }: Plan, reason: string | null) =>
  ok(api.POST('/api/restore/', { body: { ...wanted, dry_run: false, plan, reason } }));

export const taskCount = ({ counts }: Plan) =>
  counts.create_account + counts.unsuspend_account + counts.update_account;

/** "1 account is created, 2 accounts are given access, with 3 group memberships and 1 license in total." */
export function planWords({ counts }: Plan): string {
  const clauses = [
    counts.create_account > 0 &&
      plural(counts.create_account, { one: '# account is created', other: '# accounts are created' }),
    counts.unsuspend_account > 0 &&
      plural(counts.unsuspend_account, {
        one: '# account is unsuspended',
        other: '# accounts are unsuspended',
      }),
    counts.update_account > 0 &&
      plural(counts.update_account, {
        one: '# account is given access',
        other: '# accounts are given access',
      }),
  ].filter((part) => part !== false);
  const resources = [
    counts.groups > 0 && plural(counts.groups, { one: '# group membership', other: '# group memberships' }),
    counts.licenses > 0 && plural(counts.licenses, { one: '# license', other: '# licenses' }),
  ].filter((part) => part !== false);
  if (clauses.length === 0) return '';
  const tasks = listed(clauses, 'unit');
  const access = listed(resources);
  return resources.length === 0 ? `${tasks}.` : t`${tasks}, with ${access} in total.`;
}
