import { countHolds } from '#decisions/holds/holds.ts';
import { listTickets, type TicketDetails } from '#decisions/requests/tickets.ts';
import { type Cycle, cyclesToDecide, listCycles, listItems } from '#decisions/reviews/cycles/cycles.ts';
import type { Item } from '#decisions/reviews/cycles/item-schemas.ts';
import type { Call } from '#kit/identity.ts';
import { fulfillmentDetails, listFulfillment, type TaskDetails } from '#work/fulfillment/tasks.ts';
import { countSevere } from '../findings/findings.ts';

/** The work of a person: counts, and the first of each. */
interface Work {
  approvals: { count: number; first: TicketDetails | null };
  /** `items`: the undecided items of the person in the first cycle. `any`: whether they see any cycles. */
  reviews: { count: number; items: number; first: Cycle | null; item: Item | null; any: boolean };
  /** Whether they see tasks of others, and any tasks. */
  tasks: { count: number; first: TaskDetails | null; others: boolean; any: boolean };
  /** `severe`: those that are critical or high. */
  findings: { count: number; severe: number };
  holds: { count: number; any: boolean };
}

/** Long lists are not counted further. */
const FIRST = { limit: 1, offset: 0, countTo: 1000 };

/** Returns what waits for the caller, with the numbers of the lists, and the first of each to decide it. */
export async function workOf(call: Call): Promise<Work> {
  return {
    approvals: await approvalsOf(call),
    reviews: await reviewsOf(call),
    tasks: await tasksOf(call),
    findings: await countSevere(call),
    holds: readsAll(call) ? await countHolds(call) : { count: 0, any: false },
  };
}

const readsAll = ({ principal }: Call) => principal.role !== 'member';

async function approvalsOf(call: Call): Promise<Work['approvals']> {
  if (call.principal.role === 'auditor') return { count: 0, first: null };
  const { count, results } = await listTickets(call, { to_approve: true, order: 'oldest' }, FIRST);
  return { count, first: results[0] ?? null };
}

async function reviewsOf(call: Call): Promise<Work['reviews']> {
  const open = await cyclesToDecide(call);
  const [first] = open;
  if (first === undefined)
    return { count: 0, items: 0, first: null, item: null, any: await seesReviews(call) };
  const undecided = { mine: true, decision: 'none', order: 'account' } as const;
  const { count: items, results } = await listItems(call, first.id, undecided, FIRST);
  return { count: open.length, items, first, item: results[0] ?? null, any: true };
}

const seesReviews = async (call: Call) =>
  readsAll(call) || (await listCycles(call, { campaign: null, mine: true }, FIRST)).count > 0;

async function tasksOf(call: Call): Promise<Work['tasks']> {
  const { count, results } = await listFulfillment(call, { mine: true }, FIRST);
  const [first] = results;
  return {
    count,
    first: first === undefined ? null : await fulfillmentDetails(call, first.task_id),
    ...(await tasksSeen(call, count)),
  };
}

/** Whether the caller sees tasks of others, and any tasks. Members see those of the apps that they own. */
async function tasksSeen(call: Call, own: number): Promise<Pick<Work['tasks'], 'others' | 'any'>> {
  if (readsAll(call)) return { others: true, any: true };
  const { count } = await listFulfillment(call, {}, FIRST);
  const hasEnded = async () => (await listFulfillment(call, { state: 'ended' }, FIRST)).count > 0;
  return { others: count > own, any: count > 0 || (await hasEnded()) };
}
