import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { isAdministrator } from './decide.ts';
import { hasItemsFor } from './queries/decide.ts';
import type { Cycle, CycleFilter, Item, ItemFilter } from './queries/items.ts';
import * as queries from './queries/items.ts';

export type { Cycle, Item, ItemFilter } from './queries/items.ts';

/** 404 for a cycle that is not in the organization; 403 for a member who has nothing to review in it (Roles). */
export async function cycleOf(db: Db, principal: Principal, cycleId: string): Promise<Cycle> {
  const { orgId, role, userId } = principal;
  const cycle = isUuid(cycleId) ? await queries.findCycle(db, orgId, cycleId) : undefined;
  if (cycle === undefined) throw notFound('Cycle');
  if (role === 'member' && !(await hasItemsFor(db, orgId, cycleId, userId)))
    throw forbidden('You have nothing to review in this cycle.');
  return cycle;
}

/** A member sees the cycles, and of a cycle the items, that are theirs to review (Roles). */
const reviewingOf = (principal: Principal, mine: boolean) =>
  mine || principal.role === 'member'
    ? { userId: principal.userId, isAdministrator: isAdministrator(principal) }
    : null;

export const listCycles = (
  db: Db,
  principal: Principal,
  { mine, ...filter }: Omit<CycleFilter, 'mine'> & { mine: boolean },
  page: Page,
): Promise<Slice<Cycle>> =>
  queries.listCycles(db, principal.orgId, { ...filter, mine: reviewingOf(principal, mine) }, page);

export const listItems = (
  db: Db,
  principal: Principal,
  cycleId: string,
  { mine, ...filter }: Omit<ItemFilter, 'mine'> & { mine: boolean },
  page: Page,
): Promise<Slice<Item>> =>
  queries.listItems(db, principal.orgId, cycleId, { ...filter, mine: reviewingOf(principal, mine) }, page);
