import type { Scope } from '../../inventory/publication/relations.ts';
import type { Tx } from '../../platform/database/open.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { stillHeld } from '../publish/removal.ts';
import { digestRemoval, type HeldPlan } from './queries/held.ts';

/** Returns a text that changes with the records that a held removal would take. It begins with their numbers. */
export const versionOf = ({ accounts, memberships, resources, digest }: HeldPlan): string =>
  `${accounts}-${memberships}-${resources}-${digest}`;

export const heldPlanOf = (tx: Tx, scope: Scope): Promise<HeldPlan> => digestRemoval(tx, stillHeld(scope));

/** Throws 409 with the difference if the removal has changed since its plan was read. The caller holds the app's lock. */
export async function requirePlan(tx: Tx, scope: Scope, plan: string): Promise<void> {
  const seen = /^(\d+)-(\d+)-(\d+)-[0-9a-f]{32}$/.exec(plan);
  if (seen === null) throw invalid('`plan` must be the `plan` of a response of the plan operation.');
  const now = await heldPlanOf(tx, scope);
  if (versionOf(now) === plan) return;
  const [accounts = 0, memberships = 0, resources = 0] = seen.slice(1).map(Number);
  throw conflict(
    `The removal has changed since you read its plan. It would now remove ${sizeOf(now)}; ` +
      `the plan was ${sizeOf({ accounts, memberships, resources })}. Read the plan again, then decide.`,
  );
}

const sizeOf = ({ accounts, memberships, resources }: Omit<HeldPlan, 'digest'>): string =>
  `${counted(accounts, 'account')}, ${counted(memberships, 'membership')} and ` +
  counted(resources, 'group or license', 'groups and licenses');

const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
