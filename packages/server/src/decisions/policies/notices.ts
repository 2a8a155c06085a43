import { type Draft, quote } from '#log/notices/draft.ts';
import { administrators, type Context, type Handler, type Notices, toAll } from '#log/notices/notices.ts';
import { heldPoliciesAmong } from './facts.ts';
import { authorsOfPolicies, readerOfPolicies } from './queries/notices.ts';

const policyPage = (id: string) => `/policies/${id}`;

const policyHeld: Handler = async (context) => {
  const contradicts = (context.event.payload.contradicts ?? []) as Other[];
  if (contradicts.length > 0) return contradicting(context, contradicts);
  const { org, event, text } = context;
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

interface Other {
  external_uuid: string;
  name: string;
}

/** Each of two policies that contradict each other has an event. The one of the older policy tells the authors of both. */
async function contradicting({ org, event, text }: Context, others: readonly Other[]): Promise<Draft[]> {
  const id = text('policy_id');
  if (others.some(({ external_uuid }) => external_uuid < id)) return [];
  const authors = await authorsOfPolicies(org, [id, ...others.map(({ external_uuid }) => external_uuid)]);
  const names = [text('name'), ...others.map(({ name }) => name)].map(quote).join(' and ');
  return [
    {
      kind: 'policy_held',
      key: `policy_held:${event.id}`,
      to: authors.length === 0 ? await administrators(org) : toAll(authors),
      title: `The policies ${names} undo each other`,
      body: 'They have undone for the same people what the other did, twice in seven days. Both do nothing for these people until an administrator confirms the tasks of one of them, changes what it does, or disables it.',
      path: policyPage(id),
      about: { type: 'policy', id },
      appId: null,
    },
  ];
}

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
