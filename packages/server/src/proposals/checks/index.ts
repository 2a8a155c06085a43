import type { Check, CheckName } from './check.ts';
import { derived } from './derived.ts';
import { givenByPeople } from './given-by-people.ts';
import { held } from './held.ts';
import { ownAccount } from './own-account.ts';
import { ownBenefit } from './own-benefit.ts';
import { revoked } from './revoked.ts';
import { underWay } from './under-way.ts';

export type { Check, CheckName, Results } from './check.ts';

/**
 * Every check of a proposal, in order. Rules that can only be judged when a task has its turn (budgets, last members, what the account is by then)
 * are its preconditions (work/provisioning/queries/preconditions).
 */
export const CHECKS: { [Name in CheckName]: Check<Name> } = {
  under_way: underWay,
  own_account: ownAccount,
  given_by_people: givenByPeople,
  derived,
  revoked,
  held,
  own_benefit: ownBenefit,
};
