import { type AccountRecord, typesOf } from './define.ts';
import { tryPushDelta } from './delta.ts';
import { reason } from './errors.ts';
import { execute, type Outcome } from './execute.ts';
import type { Task } from './service.ts';
import type { Run } from './sync.ts';

export type TaskTally = { completed: number; failed: number; unreported: number };

/** The journal entry of an executed task: enough to report it and to push a new account after a crash. */
type Executed = Outcome & { slug: string };

const lanes = 4;

/**
 * Carries out every pending task of the app once (protocol 2.6, 4.9, 4.10). Tasks of one account run one after the other,
 * oldest first; different accounts run in parallel. The journal records each task before and after its execution, so that
 * after a crash it is reported instead of executed twice.
 */
export async function workOffTasks(run: Run): Promise<TaskTally> {
  const lock = run.state.lock('tasks');
  const tally: TaskTally = { completed: 0, failed: 0, unreported: 0 };
  try {
    await settleJournal(run, tally);
    const pending = await run.service.pendingTasks(run.app);
    const queues = [
      ...Map.groupBy(
        pending.filter(({ status }) => status === 'pending'),
        accountKey,
      ).values(),
    ];
    const next = async (): Promise<void> => {
      for (let queue = queues.shift(); queue; queue = queues.shift()) await workOff(run, queue, tally);
    };
    await Promise.all(Array.from({ length: lanes }, next));
    return tally;
  } finally {
    lock.release();
  }
}

function accountKey({ id, resource_type, payload }: Task): string {
  return `${resource_type}\n${payload.account?.id ?? id}`;
}

async function workOff(run: Run, queue: Task[], tally: TaskTally): Promise<void> {
  const inOrder = queue.sort((a, b) => a.created_at.localeCompare(b.created_at));
  for (const task of inOrder) {
    if (run.signal.aborted) return;
    const entry = run.state.readJournal(task.id);
    // The report failed. This task and the following tasks of the account wait for the next round.
    if (entry && entry.stage !== 'begun') return;
    run.progress.info(`${task.action} ${task.payload.account?.id ?? ''} (task ${task.id})`);
    const earlier = entry ? (entry.body as { absent: boolean }) : undefined;
    const write = (outcome: Outcome): Executed => {
      const executed = executedOf(run, task, outcome);
      run.state.writeJournal(task.id, 'executed', executed);
      return executed;
    };
    const outcome = await execute(run, task, earlier, {
      begun: (absent) => run.state.writeJournal(task.id, 'begun', { absent }),
      // After a crash, the task is reported and not carried out a second time.
      carriedOut: (unconfirmed) => void write(unconfirmed),
    });
    const executed = write(outcome);
    if (!(await settle(run, task.id, executed, tally))) return;
  }
}

/** Reports the tasks that an earlier run or round executed but could not report. */
async function settleJournal(run: Run, tally: TaskTally): Promise<void> {
  for (const { task, stage, body } of run.state.listJournal()) {
    if (stage === 'executed') await settle(run, task, body as Executed, tally);
    if (stage === 'reported') await pushCreated(run, task, body as Executed);
  }
}

/** Reports a task, then pushes a created account. Returns false if the report failed. */
async function settle(run: Run, task: string, executed: Executed, tally: TaskTally): Promise<boolean> {
  const { report } = executed;
  try {
    const ours = await run.service.reportTask(run.app, task, report);
    if (!ours) run.progress.info(`task ${task} was already resolved`);
  } catch (error) {
    tally.unreported++;
    run.progress.warn(
      `task ${task} was executed, but could not be reported (${reason(error)}); the report will be sent again`,
    );
    return false;
  }
  tally[report.status]++;
  if (report.status === 'failed')
    run.progress.warn(`task ${task} failed: ${report.error.code}: ${report.error.message}`);
  run.state.writeJournal(task, 'reported', executed);
  await pushCreated(run, task, executed);
  return true;
}

/** Pushes a created account with its real id (D24), without waiting for the next full sync. */
async function pushCreated(run: Run, task: string, { slug, record }: Executed): Promise<void> {
  if (!record || (await tryPushDelta(run, { [slug]: [record] }))) run.state.dropJournal(task);
}

/** Adds a created account to the outcome: as it was read, or else as the task describes it. */
function executedOf(run: Run, task: Task, { record, ...outcome }: Outcome): Executed {
  const { account, report } = outcome;
  const executed = { ...outcome, slug: task.resource_type };
  if (account === undefined || report.status !== 'completed') return executed;
  return { ...executed, record: record ?? recordOf(run, task, account) };
}

/** Returns the account as the task describes it, with its new id. */
function recordOf({ connector }: Run, task: Task, id: string): AccountRecord {
  const { email, username, first_name, last_name } = task.payload.account ?? {};
  const record: AccountRecord = {
    id,
    email,
    username,
    first_name,
    last_name,
    memberships: {},
    assignments: {},
  };
  const kinds = new Map(typesOf(connector).map(({ slug, kind }) => [slug, kind]));
  for (const [slug, refs] of Object.entries(task.payload.memberships ?? {})) {
    const field = kinds.get(slug) === 'license' ? 'assignments' : 'memberships';
    record[field] = { ...record[field], [slug]: refs };
  }
  return record;
}
