import type { Key, Seen, SeenAccount, SeenTask } from './world.ts';

/*
 * Invariants after each step (D73): each difference between decisions and the inventory has a task or a named rule that explains it.
 */

const isOpen = ({ status }: SeenTask) => status === 'scheduled' || status === 'pending';
/** Whether a task is under way, or has failed and nobody has tried it again. */
const isUnsettled = (task: SeenTask) => isOpen(task) || (task.status === 'failed' && !task.isRetried);
const changesKey = (task: SeenTask, key: Key, added: boolean) =>
  task.changes.some((one) => one.key === key && one.added === added && !one.spared);
const takes = (task: SeenTask, key: Key) =>
  task.action === 'delete_account' || (key !== null && changesKey(task, key, false));
const gives = (task: SeenTask, key: Key) =>
  key === null ? task.action === 'create_account' : changesKey(task, key, true);

interface Place {
  seen: Seen;
  account: SeenAccount;
  key: Key;
  own: SeenTask[];
}

/** Why an account may have what is neither found nor granted. */
const KEPT: { [rule: string]: (place: Place) => boolean } = {
  'a task takes it away, or failed to': ({ own, key }) =>
    own.some((task) => isUnsettled(task) && takes(task, key)),
  'an owed access is taken away once a day': ({ own, key }) =>
    own.some((task) => task.status === 'completed' && takes(task, key) && (task.endedFor ?? 2) < 1),
  'something in the account is found or granted': ({ seen, account, key }) =>
    key === null &&
    ([...account.held].some(([other, { found }]) => other !== null && found) ||
      [...seen.grants.active, ...seen.grants.scheduled].some((grant) => grant.account === account.id)),
};

/** Why an account may lack what is granted. `had`: whether it had it once. */
const LACKING: { [rule: string]: (place: Place & { had: boolean; hadAccount: boolean }) => boolean } = {
  'a task gives it, or failed to': ({ own, key }) =>
    own.some((task) => isUnsettled(task) && gives(task, key)),
  'a deletion took the place of the task that gives it': ({ own, key }) =>
    own.some((task) => task.status === 'preempted' && gives(task, key)),
  'somebody canceled its end before it was given': ({ own, key }) =>
    own.some((task) => task.isEnd && task.reason === 'task_canceled_by_admin' && takes(task, key)),
  'the task of another decision was to give it, and was canceled': ({ own, key }) =>
    own.some((task) => task.status === 'cancelled' && gives(task, key)),
  'it is missing': ({ had }) => had,
  'its account is missing': ({ account, hadAccount }) => hadAccount && !account.held.has(null),
};

export interface Memory {
  /** Access that each account had once. */
  had: Set<string>;
  /** Which rules explained a difference, and how often. */
  used: Map<string, number>;
  before: Seen | undefined;
}

export const newMemory = (): Memory => ({ had: new Set(), used: new Map(), before: undefined });

/** Returns the differences that nothing explains. */
export function problemsOf(seen: Seen, memory: Memory): string[] {
  const problems: string[] = [];
  const explained = <T>(rules: { [rule: string]: (place: T) => boolean }, place: T): boolean => {
    const rule = Object.keys(rules).find((name) => rules[name]?.(place));
    if (rule !== undefined) memory.used.set(rule, (memory.used.get(rule) ?? 0) + 1);
    return rule !== undefined;
  };
  for (const account of seen.accounts) {
    const own = seen.tasks.filter((task) => task.account === account.id);
    const granted = new Set(
      seen.grants.active.flatMap((one) => (one.account === account.id ? [one.key] : [])),
    );
    for (const [key, { found }] of account.held) {
      memory.had.add(`${account.id} ${key}`);
      if (found || granted.has(key) || explained(KEPT, { seen, account, key, own })) continue;
      problems.push(`${account.id} has ${key} without a reason`);
    }
    for (const key of granted) {
      const had = memory.had.has(`${account.id} ${key}`);
      const hadAccount = memory.had.has(`${account.id} null`);
      if (account.held.has(key) || explained(LACKING, { seen, account, key, own, had, hadAccount })) continue;
      problems.push(`${account.id} lacks ${key}, which is granted`);
    }
    for (const problem of contradictions(own, seen, account)) problems.push(`${account.id}: ${problem}`);
    const isSuspended = seen.suspensions.some((one) => one.account === account.id);
    const changing = own.some((task) => isUnsettled(task) && /suspend_|delete_/.test(task.action));
    if (['INVITED', 'ACTIVE', 'SUSPENDED'].includes(account.status) && !changing)
      if (isSuspended !== (account.status === 'SUSPENDED'))
        problems.push(`${account.id} is ${account.status}, and suspended is ${isSuspended}`);
  }
  for (const task of seen.tasks) {
    const before = memory.before?.accounts.find(({ id }) => id === task.account);
    const was = memory.before?.tasks.find(({ id }) => id === task.id);
    if (task.isEnd && task.hadTurn && was?.hadTurn !== true)
      for (const { key, added, spared } of task.changes)
        if (!added && !spared && before?.held.get(key)?.found === true)
          problems.push(`the end ${task.id} takes away ${key}, which was found`);
    const removes = task.action === 'delete_account' || task.changes.some(({ added }) => !added);
    if (removes && task.label === '' && task.kind !== 'manual')
      problems.push(`the removal ${task.id} does not name its decision`);
    if (removes && task.kind === 'manual' && task.label === '' && (task.why ?? '') === '')
      problems.push(`the removal ${task.id} by hand does not say why`);
  }
  for (const { endedBy, id } of seen.grants.ended)
    if (endedBy === null || endedBy.external_uuid === null) problems.push(`nothing ended the grant ${id}`);
  memory.before = seen;
  return problems;
}

/** Tasks whose turn has come, and that do the opposite of the decisions in force. Only the last one that changes a thing counts. */
function contradictions(own: readonly SeenTask[], seen: Seen, account: SeenAccount): string[] {
  const of = (list: readonly { account: string; key: Key }[], key: Key) =>
    list.some((grant) => grant.account === account.id && grant.key === key);
  // The tasks of an account that is missing wait for its return (D31). All others wait for the one that is pending.
  const due = own
    .filter((task) => isOpen(task) && task.hadTurn && account.held.has(null))
    .toSorted((a, b) => Number(b.status === 'pending') - Number(a.status === 'pending'));
  const keys: Key[] = ['red', 'blue', 'gold'];
  const found = keys.flatMap((key) => {
    const last = due.findLast((task) => takes(task, key) || gives(task, key));
    if (last === undefined || last.action === 'delete_account') return [];
    if (takes(last, key) && of(seen.grants.active, key))
      return [`${last.id} takes away ${key}, which is granted`];
    const isGranted = of(seen.grants.active, key) || of(seen.grants.scheduled, key);
    return gives(last, key) && !isGranted ? [`${last.id} gives ${key}, which nobody has granted`] : [];
  });
  const last = due.findLast(({ action }) => action === 'suspend_account' || action === 'unsuspend_account');
  const isSuspended = seen.suspensions.some((one) => one.account === account.id);
  if (last !== undefined && (last.action === 'suspend_account') !== isSuspended)
    found.push(`${last.id} does the opposite of the suspensions`);
  return found;
}
