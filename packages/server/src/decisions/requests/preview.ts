import { adminAppOf } from '#inventory/apps/admin.ts';
import type { ApprovalStep } from '#inventory/apps/app.ts';
import type { Call } from '#kit/identity.ts';
import { requireBeneficiary } from './beneficiary.ts';
import { frozen, requesterOf } from './create.ts';
import { peopleOfStep, type StepPerson } from './queries/preview.ts';
import type { Ticket } from './ticket.ts';
import type { ApproverRank } from './ticket-schemas.ts';

/** One step of a ticket before it is created. */
export interface PreviewedStep extends ApprovalStep {
  /** Why these people decide. Null: nobody can decide at the moment. */
  via: ApproverRank | null;
  /** The people who could decide now, without the administrators of the organization. */
  people: Ticket['user'][];
  /** Whether these decide, or fill a seat of a step that requires all. */
  administrators: boolean;
  /** The people who would decide, but for the reason. */
  excluded: { user: Ticket['user']; because: NonNullable<StepPerson['because']> }[];
}

/**
 * Returns who would decide a request, by the steps that createTicket would give it and the rules of decided tickets.
 * The caller may access the app. Members ask for themselves and for the people who report to them. A person who is certain to count for a
 * step is not among those of the next ones (D76).
 */
export async function previewApproval(
  call: Call,
  appId: string,
  request: { user: string | null; requester: string | null },
): Promise<PreviewedStep[]> {
  const { userId } = call.principal;
  const requester = requesterOf(call.principal, request);
  const { id: user } = await requireBeneficiary(call, request.user);
  const row = frozen(await adminAppOf(call, appId));
  const ticket = { ...row, user_id: user, requester_id: requester, created_by: userId };
  const spoken = new Set<string>();
  const previewed: PreviewedStep[] = [];
  for (const [index, step] of row.steps.entries()) {
    const found = await peopleOfStep(call, ticket, index, [...spoken]);
    const deciding = found.filter(({ via }) => via !== null);
    const via = RANKS.find((rank) => deciding.some((one) => one.via === rank)) ?? null;
    const shown = deciding.filter((one) => one.via !== 'administrators');
    previewed.push({
      ...step,
      via,
      people: shown.map((one) => one.user),
      administrators: shown.length < deciding.length,
      excluded: found.flatMap(({ user: who, because }) => (because === null ? [] : [{ user: who, because }])),
    });
    for (const id of certainOf(step, deciding)) spoken.add(id);
  }
  return previewed;
}

const RANKS: readonly ApproverRank[] = ['named', 'fallback', 'administrators'];

/** Returns the people who count for a step whoever decides it: all whose seats somebody has to fill, or the only one. */
function certainOf({ require }: ApprovalStep, deciding: readonly StepPerson[]): string[] {
  const idOf = ({ user }: StepPerson) => user.external_uuid;
  const [named, others] = [
    deciding.filter(({ via }) => via === 'named'),
    deciding.filter(({ via }) => via !== 'named'),
  ];
  if (require === 'all' && named.length > 0)
    return [...named.flatMap(({ seat }) => seat ?? []), ...onlyOne(others.map(idOf))];
  return [...onlyOne(deciding.flatMap(({ seat }) => seat ?? [])), ...onlyOne(deciding.map(idOf))];
}

function onlyOne(ids: readonly string[]): string[] {
  const different = [...new Set(ids)];
  return different.length === 1 ? different : [];
}
