import { type RequestCause, SYSTEM } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { KindName } from './finding.ts';
import { sentenceOf } from './say.ts';

const BY_ITSELF = { actor: SYSTEM, source: { type: 'schedule', uuid: null } } as const;

interface About {
  id: string;
  kind: KindName;
  subject_id: string;
  app_id: string | null;
  user_id: string | null;
  values: Record<string, unknown>;
}

const payloadOf = (finding: About) => ({
  finding_id: finding.id,
  kind: finding.kind,
  subject_id: finding.subject_id,
  app_id: finding.app_id,
  user_id: finding.user_id,
  text: sentenceOf(finding.kind, finding.values).text,
});

const subjectOf = ({ id }: About) => ({ type: 'system', uuid: id }) as const;

/** A finding that has begun, come back or ended by itself, or whose acceptance has ended. */
export const findingChanged = (change: 'opened' | 'reopened' | 'resolved', finding: About): NewEvent => ({
  type: `finding.${change}`,
  ...BY_ITSELF,
  subject: subjectOf(finding),
  payload: payloadOf(finding),
});

export const findingReopened = (finding: About, cause: RequestCause): NewEvent => ({
  type: 'finding.reopened',
  ...cause,
  subject: subjectOf(finding),
  payload: payloadOf(finding),
});

export const findingAccepted = (
  finding: About,
  { until, reason }: { until: Date; reason: string },
  cause: RequestCause,
): NewEvent => ({
  type: 'finding.accepted',
  ...cause,
  subject: subjectOf(finding),
  payload: { ...payloadOf(finding), accepted_until: until, reason },
});

export const findingAssigned = (
  finding: About,
  { from, to }: { from: string | null; to: string | null },
  cause: RequestCause,
): NewEvent => ({
  type: 'finding.assigned',
  ...cause,
  subject: subjectOf(finding),
  payload: { ...payloadOf(finding), from, to },
});

/** Differences that the nightly check found, although no event had told them. */
export const findingsMissed = (
  orgId: string,
  missed: { kind: KindName; opened: number; resolved: number },
): NewEvent => ({
  type: 'finding.missed',
  ...BY_ITSELF,
  subject: { type: 'system', uuid: orgId },
  payload: missed,
});
