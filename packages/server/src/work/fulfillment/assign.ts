import { type Db, type OrgDb, type OrgTx, transaction, within } from '#kit/database.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { tasksById } from '#work/provisioning/find.ts';
import { dispatchTasks } from '#work/provisioning/list.ts';
import { recheckFetched, recheckPending } from '#work/provisioning/promote.ts';
import type { Task } from '#work/provisioning/task.ts';
import { assigned, reassigned } from './events.ts';
import * as queries from './queries/assignments.ts';
import { type Candidate, candidates } from './queries/people.ts';
import { lockSettings, type Settings } from './queries/settings.ts';
import { DUE_IN_WORKING_DAYS, settingsOf } from './settings.ts';

const BATCH = 200;

/**
 * Assigns the pending tasks of an organization's apps to people, and reassigns those whose assignees can no longer carry them
 * out. Returns whether more can be done immediately.
 */
export async function assignTasks(db: OrgDb): Promise<boolean> {
  const found = await queries.unsettledTasks(db, BATCH);
  const isNew = found.filter(({ is_new }) => is_new);
  await recheckFetched(
    db,
    isNew.map(({ task_id }) => task_id),
  );
  for (const appId of new Set(found.map(({ app_id }) => app_id))) {
    await recheckPending(db, appId);
    await transaction(db, (tx) => assignInApp(tx, appId));
  }
  return found.length === BATCH;
}

/** Returns the seconds until `assignTasks` may have something to do: 0 if it has now, null if only a commit can bring it something. */
export async function secondsUntilAssignment(db: Db): Promise<number | null> {
  for (const { org_id } of await queries.organizationsThatFulfill(db))
    if ((await queries.unsettledTasks(within(db, org_id), 1)).length > 0) return 0;
  return queries.untilReassignment(db);
}

async function assignInApp(tx: OrgTx, appId: string): Promise<void> {
  // Nodes take turns, so that each assignment counts in the next.
  if (!(await lockSettings(tx, appId))) return;
  const unsettled = await queries.unsettledTasks(tx, BATCH, appId);
  if (unsettled.length === 0) return;
  const settings = await settingsOf(tx, appId);
  const turns = new Turns(await candidates(tx, appId), settings);
  const isNew = new Set(unsettled.filter(({ is_new }) => is_new).map(({ task_id }) => task_id));
  const events = await assignNew(tx, [...isNew], turns, settings);
  events.push(
    ...(await reassign(
      tx,
      unsettled.filter(({ task_id }) => !isNew.has(task_id)),
      turns,
    )),
  );
  await recordEvents(tx, events);
}

/** An assigned task counts as dispatched: its fulfiller may have begun, as a connector that listed it (D28). */
async function assignNew(
  tx: OrgTx,
  ids: string[],
  turns: Turns,
  { due_in_working_days: due }: Settings,
): Promise<NewEvent[]> {
  if (ids.length === 0) return [];
  const { pending, events } = await dispatchTasks(tx, ids, BY_THE_CLOCK, null);
  for (const task of pending) {
    const assignee = turns.next(task, null) ?? turns.anyone(task);
    const days = due[task.action] ?? DUE_IN_WORKING_DAYS;
    const dueAt = await queries.insertAssignment(tx, {
      taskId: task.id,
      appId: task.app_id,
      assignee,
      days,
    });
    if (dueAt !== undefined) events.push(assigned(task, assignee, dueAt, BY_THE_CLOCK));
  }
  return events;
}

async function reassign(
  tx: OrgTx,
  unsettled: readonly queries.Unsettled[],
  turns: Turns,
): Promise<NewEvent[]> {
  const ids = unsettled.map(({ task_id }) => task_id);
  const locked = await queries.lockAssignments(tx, ids);
  const assignments = new Map(locked.map((assignment) => [assignment.task_id, assignment]));
  const tasks = await tasksById(tx, ids);
  const events: NewEvent[] = [];
  for (const { task_id, unable, overdue } of unsettled) {
    const [task, assignment] = [tasks.get(task_id), assignments.get(task_id)];
    if (task?.status !== 'pending' || assignment === undefined) continue;
    const from = assignment.assignee_id;
    const escalates = overdue && !unable;
    const found = escalates ? turns.owner(task) : turns.next(task, from);
    // Somebody who is away keeps the task if nobody else can take it.
    const to = found ?? (unable ? turns.anyone(task) : from);
    if (to === from) {
      await queries.setChecked(tx, task_id, overdue);
      continue;
    }
    await queries.setAssignee(tx, task_id, { assignee: to, reason: null, escalated: overdue });
    const cause = escalates ? 'overdue' : 'unavailable';
    events.push(reassigned(task, { from, to, cause, reason: null }, BY_THE_CLOCK));
  }
  return events;
}

/** Whose turn it is among the fulfillers of an app. Nobody gets a task of their own account. */
class Turns {
  readonly #queue: Candidate[];
  readonly #owner: Candidate | undefined;

  constructor(people: Candidate[], { assignment }: Settings) {
    this.#queue = assignment === 'owner' ? [] : people.filter(({ is_fulfiller }) => is_fulfiller);
    this.#owner = people.find(({ is_owner }) => is_owner);
  }

  /** Returns the next present fulfiller, otherwise the owner, unless they have the task already. */
  next(task: Task, current: string | null): string | null {
    const next = this.#queue.find(({ id, away }) => !away && id !== task.user_id && id !== current);
    if (next !== undefined) return this.#take(next);
    const owner = this.owner(task);
    return owner === current ? null : owner;
  }

  /** Returns the next fulfiller, even if all are away. */
  anyone(task: Task): string | null {
    const next = this.#queue.find(({ id }) => id !== task.user_id);
    return next === undefined ? null : this.#take(next);
  }

  owner(task: Task): string | null {
    return this.#owner === undefined || this.#owner.id === task.user_id ? null : this.#owner.id;
  }

  #take(candidate: Candidate): string {
    this.#queue.splice(this.#queue.indexOf(candidate), 1);
    this.#queue.push(candidate);
    return candidate.id;
  }
}
