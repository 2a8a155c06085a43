import { plural, t } from '@lingui/core/macro';
import type { Chosen } from '../../access/chosen.ts';
import type { Item } from '../../api/client.ts';
import { durationWords } from '../../kit/text/words.ts';

export type Policy = Item<'/api/policies/'>;
export type Effect = Policy['effects'][number];
export type Trigger = Policy['trigger'];
export type Action = Effect['do'];

interface TriggerText {
  label: string;
  /** The beginning of a sentence about a policy that applies to everyone. */
  always: string;
  /** The beginning of a sentence about a policy with a condition. */
  filtered: string;
  about: string;
}

export const TRIGGERS: Record<Trigger, TriggerText> = {
  'user.created': {
    label: t`Person created`,
    always: t`When a person is created:`,
    filtered: t`When a person is created and the condition matches:`,
    about: t`A person is added by hand, by an import or by an identity provider.`,
  },
  'user.updated': {
    label: t`Person updated`,
    always: t`When a person is updated:`,
    filtered: t`When a person is updated and the condition matches:`,
    about: t`A field of a person changes, such as the department or the title.`,
  },
  'user.starts': {
    label: t`First day`,
    always: t`When the first day of a person begins:`,
    filtered: t`When the first day of a person begins and the condition matches:`,
    about: t`The start date of a person comes, in the organization's time zone, or a number of days before or after it.`,
  },
  'user.ends': {
    label: t`Last day over`,
    always: t`When the last day of a person is over:`,
    filtered: t`When the last day of a person is over and the condition matches:`,
    about: t`The end date of a person has passed, in the organization's time zone, or a number of days before or after that.`,
  },
  'user.deactivated': {
    label: t`Person deactivated`,
    always: t`When a person is deactivated:`,
    filtered: t`When a person is deactivated and the condition matches:`,
    about: t`A person leaves.`,
  },
  'user.reactivated': {
    label: t`Person reactivated`,
    always: t`When a person is reactivated:`,
    filtered: t`When a person is reactivated and the condition matches:`,
    about: t`A person returns.`,
  },
  'user.on_leave': {
    label: t`Leave begins`,
    always: t`When a person goes on leave:`,
    filtered: t`When a person goes on leave and the condition matches:`,
    about: t`A leave of a person begins. A leave alone suspends nothing.`,
  },
  'user.back': {
    label: t`Back from leave`,
    always: t`When a person is back from leave:`,
    filtered: t`When a person is back from leave and the condition matches:`,
    about: t`A leave of a person ends.`,
  },
  'account.discovered': {
    label: t`Account discovered`,
    always: t`When a sync discovers an account:`,
    filtered: t`When a sync discovers an account and the condition matches:`,
    about: t`A sync finds a new account. The first sync of an app is its baseline and triggers nothing.`,
  },
  daily: {
    label: t`Every day`,
    always: t`Every day:`,
    filtered: t`Every day, if the condition matches:`,
    about: t`After midnight in the organization's time zone, for all people and all orphaned accounts.`,
  },
};

export const triggerLabel = (trigger: Trigger) => TRIGGERS[trigger].label;
export const TRIGGER_OPTIONS = (Object.keys(TRIGGERS) as Trigger[]).map((value) => ({
  value,
  label: triggerLabel(value),
}));

export const hasDays = (trigger: Trigger) => trigger === 'user.starts' || trigger === 'user.ends';

/** Returns "7 days before that" or "30 days after that". Undefined on the day itself. */
export function offsetPhrase(offset: number | null | undefined): string | undefined {
  if (!offset) return undefined;
  const count = Math.abs(offset);
  return offset < 0
    ? plural(count, { one: '# day before that', other: '# days before that' })
    : plural(count, { one: '# day after that', other: '# days after that' });
}

/** Returns the label of a trigger with its days, such as "First day, 7 days before that". */
export const triggerWords = ({ trigger, offset_days }: Pick<Policy, 'trigger' | 'offset_days'>): string =>
  [triggerLabel(trigger), offsetPhrase(offset_days)].filter((part) => part !== undefined).join(', ');

export const ACTIONS: Record<Action, string> = {
  grant: t`Grant access`,
  revoke: t`Revoke groups and licenses`,
  suspend: t`Suspend account`,
  unsuspend: t`Unsuspend account`,
  delete: t`Delete account`,
};

/** Whether an action applies to groups and licenses that the effect names. */
export const namesEntitlements = (action: Action) => action === 'grant' || action === 'revoke';

/** Returns the groups and licenses that an effect names. A policy stores only their IDs. */
export const chosenIn = ({ memberships, assignments }: Effect): Chosen[] =>
  [['group', memberships] as const, ['license', assignments] as const].flatMap(([type, bySlug]) =>
    Object.entries(bySlug).flatMap(([slug, ids]) => ids.map((id) => ({ slug, type, id, name: id }))),
  );

/** Returns "immediately" or a phrase such as "after 30 days". */
export function delayPhrase(iso: string | null): string {
  return iso === null ? t`immediately` : t`after ${{ duration: durationWords(iso) }}`;
}
