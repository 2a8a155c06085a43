import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import { openGrants } from '#reasons/grants/facts.ts';
import type { Check } from './check.ts';

const BY_PEOPLE: ReadonlySet<GrantKind> = new Set(['request', 'manual', 'restore']);

/** Policies do not suspend an account that a person gave, or in which a person gave something, while its person is there. */
export const givenByPeople: Check<'given_by_people'> = {
  concerns: ({ decision, action, user, leaving }) =>
    decision.kind === 'policy' &&
    action === 'suspend_account' &&
    user?.status === 'active' &&
    leaving !== true,
  async judge(db, changes) {
    const open = await openGrants(db, [...new Set(changes.flatMap(({ account }) => account?.id ?? []))]);
    const given = new Set(open.flatMap(({ kind, account_id }) => (BY_PEOPLE.has(kind) ? [account_id] : [])));
    return changes.flatMap(({ account }, index) =>
      given.has(account?.id ?? '') ? [{ index, part: null, result: null }] : [],
    );
  },
};
