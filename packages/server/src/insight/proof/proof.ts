import { itemOf } from '#decisions/reviews/cycles/cycles.ts';
import { type Item, whyNotPossible } from '#decisions/reviews/cycles/item-schemas.ts';
import { appReference } from '#inventory/apps/reference.ts';
import type { AccountView } from '#inventory/records/accounts/account-view.ts';
import { databaseTime } from '#kit/database.ts';
import type { Call, Principal } from '#kit/identity.ts';
import { filesOf } from '#work/fulfillment/attachments.ts';
import { fulfillmentOf } from '#work/fulfillment/facts.ts';
import { getTask } from '#work/provisioning/list.ts';
import { reasonOf } from '#work/provisioning/reason-sentences.ts';
import type { Task } from '#work/provisioning/task.ts';
import { withEvents } from './events.ts';
import { decidedLink, doneLink, linkOf, orderedLink, seenGoneLink, unordered } from './links.ts';
import type { ProofAccess, ProofDecision, ProofLink, ProofView } from './proof-schemas.ts';
import {
  groundsOf,
  lastAttempt,
  latestRemoval,
  nextSync,
  type SeenGone,
  seenGoneAfter,
  seenGoneNow,
} from './queries/removals.ts';
import { linkSentences as say } from './sentences.ts';

/** The subject of a proof, and what is known about its removal. */
interface Removal {
  app: { id: string; name: string };
  account: { external_uuid: string; email: string };
  task: Task | null;
  decided: ProofLink[];
  /** The access that is taken away, and when it was seen gone. */
  taken: { resource: ProofAccess['resource']; seen: SeenGone }[];
  expects: 'gone' | 'still_seen' | 'nothing';
  /** The review item that decided it. */
  item: string | null;
}

/** Returns the proof of what a task takes away. The caller has checked that the task may be read. */
export async function proofOfTask(call: Call, taskId: string): Promise<ProofView> {
  const task = await getTask(call, (await lastAttempt(call, taskId)) ?? taskId);
  const removed = task.changes.filter(({ added }) => !added);
  const isWhole = task.action === 'delete_account' || task.action === 'suspend_account';
  const ids = isWhole ? null : removed.map(({ entitlement_id }) => entitlement_id);
  const seen = await seenGoneAfter(call, task, ids);
  const taken = seen.map((one) => {
    const found = removed.find(({ entitlement_id }) => entitlement_id === one.entitlement_id);
    return { resource: found ? { slug: found.slug, id: found.id, name: found.name } : null, seen: one };
  });
  const grounds = await groundsOf(call, task.id);
  const decided = grounds === undefined ? [] : [decidedLink(grounds, task.reason)];
  return proofOf(call, { ...placeOf(task), task, decided, taken, expects: expectedOf(task), item: null });
}

const placeOf = (task: Task) => ({
  app: { id: task.app_id, name: task.app_name },
  account: { external_uuid: task.account_id, email: task.email },
});

/** A sync that could see the result of a completed task, and did not, still saw the access. */
function expectedOf({ status, ended_reason, confirmed }: Task): Removal['expects'] {
  if (status === 'cancelled' || status === 'preempted') return 'nothing';
  return status === 'completed' && ended_reason === null && confirmed ? 'still_seen' : 'gone';
}

/**
 * Returns the proof of the latest removal of an account: of its last task that takes something away. An account that is gone has that of its
 * deletion or suspension, or, if there is none or it came back since, of the sync that no longer showed it.
 */
export async function proofOfAccount(call: Call, account: AccountView): Promise<ProofView> {
  const isGone = account.status === 'INACTIVE';
  const taskId = await latestRemoval(call, account.id, isGone);
  const proof = taskId === undefined ? null : await proofOfTask(call, taskId);
  if (proof !== null && !(isGone && proof.access.every(({ seen_again_at }) => seen_again_at !== null)))
    return proof;
  const seen = isGone ? await seenGoneNow(call, account) : undefined;
  return proofOf(call, {
    app: { id: account.app_id, name: account.app_name },
    account: { external_uuid: account.id, email: account.email },
    task: null,
    decided: unordered(say.removal_decided_nowhere()),
    taken: seen === undefined ? [] : [{ resource: null, seen }],
    expects: 'nothing',
    item: null,
  });
}

/** Returns the proof of the revocation of a review item. Throws 404 for an item that the caller does not see. */
export async function proofOfItem(call: Call, cycleId: string, itemId: string): Promise<ProofView> {
  const item = await itemOf(call, cycleId, itemId);
  const { app_id, app_name, account, resource } = item;
  const place = { app: { id: app_id, name: app_name }, account, item: item.id };
  if (item.decision !== 'revoke')
    return proofOf(call, {
      ...place,
      task: null,
      decided: unordered(say.removal_kept()),
      taken: [],
      expects: 'nothing',
    });
  const task = item.task === null ? null : await getTask(call, item.task);
  const seen: SeenGone = {
    entitlement_id: null,
    sync_id: item.seen_gone_by,
    seen_gone_at: item.seen_gone_at,
    seen_again_at: item.seen_again_at,
    restored_by: item.restored_by,
  };
  const decided = [decisionIn(item, cycleId), ...(task === null ? withoutTask(item) : [])];
  const expects = task === null ? expectedWithout(item) : expectedOf(task);
  return proofOf(call, {
    ...place,
    task,
    decided,
    taken: [{ resource: resource && nameIn(resource), seen }],
    expects,
  });
}

const nameIn = ({ slug, id, name }: NonNullable<Item['resource']>) => ({ slug, id, name });

const expectedWithout = ({ revocation }: Item) => (revocation === 'not_possible' ? 'nothing' : 'gone');

const decisionIn = (item: Item, cycleId: string) =>
  decidedLink(
    {
      decision: { kind: 'review', external_uuid: item.id, label: null },
      decided_by: item.decided_by,
      decided_at: item.decided_at as Date,
      cycle: cycleId,
    },
    item.comment ? reasonOf(item.comment) : null,
  );

/** A revocation without a task waits for its cycle, was not possible, or came too late. */
function withoutTask(item: Item): ProofLink[] {
  const why = whyNotPossible(item);
  const state = item.revocation === 'not_possible' && why !== null ? 'failed' : 'not_needed';
  const link = (step: 'ordered' | 'done') =>
    linkOf(step, state, say.removal_not_ordered(), { why: why === null ? null : reasonOf(why) });
  return [link('ordered'), link('done')];
}

async function proofOf(call: Call, removal: Removal): Promise<ProofView> {
  const { app, account, task, decided, taken, expects } = removal;
  const carriedOut = task === null ? [] : [orderedLink(task), await done(call, task)];
  const seen = taken.map((one) => one.seen);
  const isWaiting = expects === 'gone' && seen.some(({ seen_gone_at }) => seen_gone_at === null);
  const next = isWaiting ? await nextSync(call, app.id) : undefined;
  const last =
    seen.length === 0
      ? linkOf(
          'seen_gone',
          'not_needed',
          task === null ? say.removal_not_expected() : say.removal_adds_only(),
        )
      : seenGoneLink(app, seen, { expects, next });
  const links = [...decided, ...carriedOut, last];
  const isMember = call.principal.role === 'member';
  const restoring = (decision: ProofDecision | null) => (isMember ? decision && kindOf(decision) : decision);
  return {
    state: stateOf(links),
    as_of: await databaseTime(call),
    app: appReference(app.id, app.name),
    account,
    task: task?.id ?? null,
    action: task?.action ?? null,
    access: taken.map(({ resource, seen: { seen_gone_at, sync_id, seen_again_at, restored_by } }) => ({
      ...{ resource, seen_gone_at, sync_id, seen_again_at, restored_by: restoring(restored_by) },
    })),
    links: isMember
      ? forMember(links, call.principal, removal)
      : await withEvents(call, links, { account, task, seen }),
  };
}

/** The person who carried out a task by hand, their note and the files count as well. */
async function done(call: Call, task: Task): Promise<ProofLink> {
  const fulfillment = await fulfillmentOf(call, task.id);
  const files = fulfillment === null ? [] : await filesOf(call, task.id);
  return doneLink(
    task,
    fulfillment,
    files.map(({ id, name, size, sha256 }) => ({ external_uuid: id, name, size, sha256 })),
  );
}

function stateOf(links: readonly ProofLink[]): ProofView['state'] {
  const last = links.at(-1)?.state;
  if (last === 'done' || !links.some(({ state }) => state === 'failed')) return last ?? 'not_needed';
  return 'failed';
}

const kindOf = ({ kind }: ProofDecision): ProofDecision => ({ kind, external_uuid: null, label: null });

/**
 * Returns the links as a member sees them: what the task shows of their own account, and otherwise what the review shows. Nobody is named but the
 * person who decided.
 */
function forMember(links: readonly ProofLink[], { userId }: Principal, { task, item }: Removal): ProofLink[] {
  const isOwn = task === null || task.user_id === userId;
  const isShown = (id: string | undefined) => id === task?.creator.id || id === userId;
  return links.map((link) => {
    const [by, decision] = [
      isShown(link.by?.external_uuid) ? link.by : null,
      link.decision && kindOf(link.decision),
    ];
    const isReadable = link.step === 'decided' ? item !== null : link.step !== 'seen_gone';
    const shown = { ...link, by, decision, event_ids: [], href: isReadable ? link.href : null };
    return isOwn || link.step === 'decided' || link.step === 'seen_gone'
      ? shown
      : linkOf(link.step, link.state, plain(link), { at: link.at });
  });
}

/** The state of a link without its cause. */
const plain = ({ step, state }: ProofLink) =>
  (step === 'ordered' && state === 'done' ? say.removal_ordered : PLAIN[state])();
const PLAIN = {
  done: say.removal_carried_out,
  waiting: say.removal_under_way,
  failed: say.removal_failed,
  not_needed: say.removal_canceled,
};
