import { api, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { counted } from '../../parts/words.ts';
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

/** "1 account is created, 2 accounts get access back: 3 groups and 1 license." */
export function planWords({ counts }: Plan): string {
  const accounts = (n: number) => `${counted(n, 'account')} ${n === 1 ? 'is' : 'are'}`;
  const parts = [
    counts.create_account > 0 && `${accounts(counts.create_account)} created`,
    counts.unsuspend_account > 0 && `${accounts(counts.unsuspend_account)} unsuspended`,
    counts.update_account > 0 && `${accounts(counts.update_account)} given access`,
  ].filter((part) => part !== false);
  const resources = [
    counts.groups > 0 && counted(counts.groups, 'group membership'),
    counts.licenses > 0 && counted(counts.licenses, 'license'),
  ].filter((part) => part !== false);
  if (parts.length === 0) return '';
  const given = resources.length === 0 ? '' : `, with ${resources.join(' and ')} in total`;
  return `${parts.join(', ')}${given}.`;
}
