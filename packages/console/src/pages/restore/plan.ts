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
export type Wanted = Pick<Body, 'users' | 'accounts' | 'app' | 'as_of' | 'include_possible'>;

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
