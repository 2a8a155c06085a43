import type { Sentence } from '#kit/sentences.ts';
import type { EndKind } from '#reasons/grants/grant.ts';
import type { FulfillmentOfTask } from '#work/fulfillment/facts.ts';
import { explain } from '#work/provisioning/explain.ts';
import type { Task } from '#work/provisioning/task.ts';
import type { ProofLink } from './proof-schemas.ts';
import type { Grounds, NextSync, SeenGone } from './queries/removals.ts';
import { linkSentences as say } from './sentences.ts';

/** Makes a link. All that is not given is empty. */
export function linkOf(
  step: ProofLink['step'],
  state: ProofLink['state'],
  sentence: Sentence,
  { why = null, ...more }: Partial<ProofLink> & { why?: Sentence | null } = {},
): ProofLink {
  return {
    ...{ step, state, at: null, expected_at: null, by: null },
    ...{ label: sentence.text, code: sentence.code, values: sentence.values },
    ...{ reason: why?.text ?? null, ...(why && { reason_code: why.code, reason_values: why.values }) },
    ...{ href: null, event_ids: [], decision: null, confirmation: null, note: null, files: [] },
    ...more,
  };
}

/** The links of something that nobody ordered: only the last one can have happened. */
export const unordered = (decided: Sentence): ProofLink[] => [
  linkOf('decided', 'not_needed', decided),
  linkOf('ordered', 'not_needed', say.removal_not_ordered()),
  linkOf('done', 'not_needed', say.removal_not_ordered()),
];

const DECIDED: Partial<Record<EndKind, () => Sentence>> = {
  end: say.removal_decided_end,
  request: say.removal_decided_request,
  policy: say.removal_decided_policy,
  manual: say.removal_decided_manual,
  restore: say.removal_decided_restore,
};

/** The page of the console that shows a decision. */
function pageOf({ decision: { kind, external_uuid: id }, cycle }: Grounds): string | null {
  if (cycle !== null) return `/reviews/cycles/${cycle}`;
  if (id === null) return null;
  if (kind === 'request') return `/requests/${id}`;
  return kind === 'policy' ? `/policies/${id}` : null;
}

export function decidedLink(grounds: Grounds, why: Sentence | null): ProofLink {
  const { decision, decided_by: by, decided_at: at } = grounds;
  const reviewed = by === null ? say.removal_decided_silence : say.removal_decided_review;
  const sentence = decision.kind === 'review' ? reviewed : DECIDED[decision.kind];
  return linkOf('decided', 'done', (sentence ?? say.removal_decided_otherwise)(), {
    ...{ at, by, decision, why, href: pageOf(grounds) },
  });
}

export function orderedLink(task: Task): ProofLink {
  const href = `/tasks/${task.id}`;
  const why = explain(task)?.happened ?? null;
  if (task.status === 'scheduled')
    return linkOf('ordered', 'waiting', say.removal_scheduled(), {
      ...{ at: task.created_at, expected_at: task.waits_for === null ? task.execute_after : null, href, why },
    });
  return linkOf('ordered', 'done', say.removal_ordered(), { at: task.created_at, href });
}

export function doneLink(
  task: Task,
  fulfillment: FulfillmentOfTask | null,
  files: ProofLink['files'],
): ProofLink {
  const { status, confirmation, ended_at: at, app_name: app } = task;
  const href = `/tasks/${task.id}`;
  const why = explain(task)?.happened ?? null;
  const by = fulfillment?.reporter ?? null;
  const person = { by, note: fulfillment?.note ?? null, files };
  const isWaitedFor = fulfillment !== null && by === null;
  if (status === 'scheduled' || status === 'pending')
    return linkOf(
      'done',
      'waiting',
      isWaitedFor ? say.removal_waits_for_person({ app }) : say.removal_waits_for_connector({ app }),
      { href, expected_at: status === 'pending' ? (fulfillment?.due_at ?? null) : null },
    );
  if (status !== 'completed')
    return status === 'failed'
      ? linkOf('done', 'failed', why ?? say.removal_failed(), { at, href, ...person })
      : linkOf('done', 'not_needed', why ?? say.removal_canceled(), { at, href, ...person });
  return linkOf('done', 'done', reportOf(task, by !== null), { at, href, confirmation, why, ...person });
}

function reportOf({ app_name: app, confirmation, ended_reason }: Task, byPerson: boolean): Sentence {
  if (ended_reason !== null) return ended_reason;
  if (byPerson) return say.removal_reported_by_person({ app });
  return confirmation === 'read' ? say.removal_read_back({ app }) : say.removal_reported({ app });
}

const latest = (times: (Date | null)[]) =>
  times.reduce<Date | null>(
    (last, time) => (time !== null && (last === null || time > last) ? time : last),
    null,
  );

/** Returns the last link: a sync of the app that showed the access gone. `expects` says what another sync can show. */
export function seenGoneLink(
  { name: app, id }: { name: string; id: string },
  seen: readonly SeenGone[],
  { expects, next }: { expects: 'gone' | 'still_seen' | 'nothing'; next: NextSync | undefined },
): ProofLink {
  const [missing] = seen.filter(({ seen_gone_at }) => seen_gone_at === null);
  if (missing === undefined) {
    const isBack = seen.some(({ seen_again_at }) => seen_again_at !== null);
    const at = latest(seen.map(({ seen_gone_at }) => seen_gone_at));
    const { sync_id } = seen.find(({ seen_gone_at }) => seen_gone_at?.getTime() === at?.getTime()) ?? {};
    return linkOf(
      'seen_gone',
      'done',
      isBack ? say.removal_seen_again({ app }) : say.removal_seen_gone({ app }),
      {
        ...{ at, href: `/apps/${id}/syncs/${sync_id}` },
      },
    );
  }
  if (expects === 'nothing') return linkOf('seen_gone', 'not_needed', say.removal_not_expected());
  if (expects === 'still_seen') return linkOf('seen_gone', 'failed', say.removal_still_seen({ app }));
  return linkOf(
    'seen_gone',
    'waiting',
    next?.is_upload ? say.removal_waits_for_upload({ app }) : say.removal_waits_for_sync({ app }),
    { expected_at: next?.at ?? null, href: `/apps/${id}?tab=syncs` },
  );
}
