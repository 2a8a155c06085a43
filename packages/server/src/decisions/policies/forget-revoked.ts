import type { OrgTx } from '#kit/database.ts';
import { revokedFrom } from '#reasons/grants/facts.ts';
import { forgetRevoked } from '#reasons/grants/revoked.ts';
import { decideAbout } from './decide.ts';
import type { Policy } from './policy.ts';

/** Forgets what people took away from a policy whose condition has become false for them: when it is true again, the policy gives again. */
export async function forgetOutdated(
  tx: OrgTx,
  policy: Policy,
  subjects: readonly string[] | null,
): Promise<void> {
  const wanted = subjects && new Set(subjects);
  const entries = (await revokedFrom(tx, policy.id)).filter(
    ({ user_id, account_id }) =>
      wanted === null || wanted.has(user_id ?? account_id) || wanted.has(account_id),
  );
  if (entries.length === 0) return;
  const ids = entries.flatMap(({ user_id, account_id }) => [user_id ?? account_id, account_id]);
  const { found, undecided } = await decideAbout(tx, policy, [...new Set(ids)]);
  const outdated = entries.filter(
    ({ user_id, account_id, app_id }) =>
      !found.has(account_id) && !found.has(`${user_id} ${app_id}`) && !undecided.has(user_id ?? account_id),
  );
  await forgetRevoked(
    tx,
    outdated.map(({ user_id, account_id, app_id }) => ({
      source_id: policy.id,
      app_id,
      subject: user_id ?? account_id,
    })),
  );
}
