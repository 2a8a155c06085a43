import { within } from '../../../kit/database/organization.ts';
import { quote } from '../draft.ts';
import * as facts from '../queries/facts.ts';
import { administrators, toAll } from '../recipients.ts';
import type { Handler } from './handler.ts';

const policyPage = (id: string) => `/policies/${id}`;

export const policyHeld: Handler = async ({ db, orgId, event, text }) => {
  const because = event.payload.because as { kind: string; from: string; to: string | null } | null;
  const what =
    because === null
      ? 'It would create more tasks than one run may without a confirmation.'
      : because.to === null
        ? `The group ${quote(because.from)} was deleted, and its condition names it.`
        : `The group ${quote(because.from)} was renamed to ${quote(because.to)}, and its condition names it.`;
  return [
    {
      kind: 'policy_held',
      key: `policy_held:${event.id}`,
      to: await administrators(within(db, orgId)),
      title: `The policy ${text('name')} waits for a confirmation`,
      body: `${what} It does nothing until an administrator confirms or changes it.`,
      path: policyPage(text('policy_id')),
      about: { type: 'policy', id: text('policy_id') },
      appId: null,
    },
  ];
};

export const policyUndecided: Handler = async ({ db, orgId, event, text }) => {
  const { enabled_by, count, reasons } = event.payload as unknown as {
    enabled_by: string | null;
    count: number;
    reasons: { message: string }[];
  };
  const enabler = await facts.readerOfPolicies(within(db, orgId), enabled_by);
  return [
    {
      kind: 'policy_undecided',
      key: `policy_undecided:${event.id}`,
      to: enabler === undefined ? await administrators(within(db, orgId)) : toAll([enabler]),
      title: `The policy ${text('name')} left ${count === 1 ? '1 person' : `${count} people`} out`,
      body: `Its condition decides nothing about them: ${reasons.map(({ message }) => message).join(' ')}`,
      path: policyPage(text('policy_id')),
      about: { type: 'organization', id: null },
      appId: null,
    },
  ];
};
