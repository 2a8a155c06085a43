import { adminAppOf } from '#inventory/apps/admin.ts';
import type { ApprovalStep } from '#inventory/apps/app.ts';
import type { Call } from '#kit/identity.ts';
import { requireBeneficiary } from './beneficiary.ts';
import { frozen, requesterOf } from './create.ts';
import { approversOfSteps, type StepApprover } from './queries/preview.ts';
import type { ApproverRank } from './ticket-schemas.ts';

/** One step of a ticket before it is created. */
export interface PreviewedStep extends ApprovalStep {
  /** Why these people decide. Null: nobody can decide at the moment. */
  via: ApproverRank | null;
  /** The people who could decide now. Empty if the administrators of the organization decide. */
  people: StepApprover[];
}

/**
 * Returns who would decide a request, by the steps that createTicket would give it and the rules of decided tickets.
 * The caller may access the app. Members ask for themselves and for the people who report to them.
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
  const people = { user_id: user, requester_id: requester, created_by: userId };
  const approvers = Map.groupBy(await approversOfSteps(call, { ...row, ...people }), ({ step }) => step);
  return row.steps.map((step, index) => {
    const those = approvers.get(index) ?? [];
    const via = those[0]?.via ?? null;
    return { ...step, via, people: via === 'administrators' ? [] : those };
  });
}
