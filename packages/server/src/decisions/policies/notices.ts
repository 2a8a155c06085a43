import { quote } from '#log/notices/draft.ts';
import { administrators, type Handler, type Notices, toAll } from '#log/notices/notices.ts';
import { heldPoliciesAmong } from './facts.ts';
import { readerOfPolicies } from './queries/notices.ts';

const policyPage = (id: string) => `/policies/${id}`;

const policyHeld: Handler = async ({ org, event, text }) => {
  const because = event.payload.because as Because | null;
  const what =
    because === null
      ? 'Its tasks are more than one run may create without a confirmation, or would give access to people behind the policy.'
      : changeIn(because);
  const ways =
    because === null
      ? 'until an administrator confirms or changes it'
      : 'until an administrator confirms the tasks, changes the condition or the trigger, or disables it';
  const waits = because === null ? `These tasks wait ${ways}.` : `It does nothing ${ways}.`;
  return [
    {
      kind: 'policy_held',
      key: `policy_held:${event.id}`,
      to: await administrators(org),
      title: `The policy ${text('name')} waits for a confirmation`,
      body: `${what} ${waits}`,
      path: policyPage(text('policy_id')),
      about: { type: 'policy', id: text('policy_id') },
      appId: null,
    },
  ];
};

interface Because {
  from: string;
  to: string | null;
  is_named: boolean;
}

function changeIn({ from, to, is_named }: Because): string {
  const change = to === null ? 'was deleted' : `was renamed to ${quote(to)}`;
  const why = is_named
    ? 'its condition names it'
    : 'its condition compares names of groups with something else, such as an attribute';
  return `The group ${quote(from)} ${change}, and ${why}.`;
}

const policyUndecided: Handler = async ({ org, event, text }) => {
  const { enabled_by, count, reasons } = event.payload as unknown as {
    enabled_by: string | null;
    count: number;
    reasons: { message: string }[];
  };
  const enabler = await readerOfPolicies(org, enabled_by);
  return [
    {
      kind: 'policy_undecided',
      key: `policy_undecided:${event.id}`,
      to: enabler === undefined ? await administrators(org) : toAll([enabler]),
      title: `The policy ${text('name')} left ${count === 1 ? '1 person' : `${count} people`} out`,
      body: `Its condition decides nothing about them: ${reasons.map(({ message }) => message).join(' ')}`,
      path: policyPage(text('policy_id')),
      about: { type: 'organization', id: null },
      appId: null,
    },
  ];
};

export const policyNotices: Notices = {
  handlers: { 'policy.held': policyHeld, 'policy.undecided': policyUndecided },
  waits: { policy_held: (db, _, policies) => heldPoliciesAmong(db, policies) },
};
