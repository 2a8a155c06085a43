import { plural, t } from '@lingui/core/macro';
import { type Chosen, idsBySlug } from '../../access/chosen.ts';
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

/** Returns the groups and licenses that an effect names. */
export const entitlementsOf = ({ memberships, assignments }: Effect) =>
  [...Object.values(memberships), ...Object.values(assignments)].flat();

export const UNITS = {
  now: t`No delay`,
  hours: t`Hours`,
  days: t`Days`,
  weeks: t`Weeks`,
  months: t`Months`,
  other: t`ISO 8601 duration`,
} as const;
type Unit = keyof typeof UNITS;

const ISO_PARTS = { hours: ['PT', 'H'], days: ['P', 'D'], weeks: ['P', 'W'], months: ['P', 'M'] } as const;

/** A delay in the form. A duration that is not a number of one unit keeps its ISO 8601 text. */
interface Delay {
  unit: Unit;
  number: number | string;
  text: string;
}

function delayOf(iso: string | null): Delay {
  if (iso === null) return { unit: 'now', number: 1, text: '' };
  for (const [unit, [before, after]] of Object.entries(ISO_PARTS)) {
    const [, number] = new RegExp(`^${before}(\\d+)${after}$`).exec(iso) ?? [];
    if (number !== undefined) return { unit: unit as Unit, number: Number(number), text: iso };
  }
  return { unit: 'other', number: 1, text: iso };
}

function isoOf({ unit, number, text }: Delay): string | null {
  if (unit === 'now') return null;
  if (unit === 'other') return text.trim();
  const [before, after] = ISO_PARTS[unit];
  return `${before}${Number(number) || 1}${after}`;
}

/** Returns "immediately" or a phrase such as "after 30 days". */
export function delayPhrase(iso: string | null): string {
  return iso === null ? t`immediately` : t`after ${{ duration: durationWords(iso) }}`;
}

/** An effect in the form. */
export interface DraftEffect {
  /** For React only. */
  key: number;
  do: Action;
  everywhere: boolean;
  app: string | null;
  chosen: Chosen[];
}

/** A policy in the form. */
export interface Draft {
  name: string;
  trigger: Trigger;
  /** Only for triggers with days. */
  offset_days: number | string;
  condition: string;
  effects: DraftEffect[];
  delay: Delay;
  recheck: boolean;
}

export const NEW: Draft = {
  name: '',
  trigger: 'user.created',
  offset_days: 0,
  condition: '',
  effects: [{ key: 0, do: 'grant', everywhere: false, app: null, chosen: [] }],
  delay: delayOf(null),
  recheck: true,
};

/** Drafts of frequent policies. Their condition matches everyone. */
export const TEMPLATES: readonly { label: string; draft: Draft }[] = [
  template(t`Joiners, a week before their first day`, 'user.starts', 'grant', { offset_days: -7 }),
  template(t`Leavers, after their last day`, 'user.ends', 'suspend'),
  template(t`Leavers, deleted after 30 days`, 'user.ends', 'delete', { offset_days: 30 }),
  template(t`Deactivated people, deleted after 30 days`, 'user.deactivated', 'delete', {
    delay: delayOf('P30D'),
  }),
  template(t`Suspend during a leave`, 'user.on_leave', 'suspend'),
  template(t`Unsuspend after a leave`, 'user.back', 'unsuspend'),
];

function template(label: string, trigger: Trigger, action: Action, more: Partial<Draft> = {}) {
  const effect = { key: 0, do: action, everywhere: action !== 'grant', app: null, chosen: [] };
  return { label, draft: { ...NEW, name: label, trigger, condition: 'true', effects: [effect], ...more } };
}

export const draftOf = ({
  name,
  trigger,
  offset_days,
  condition,
  effects,
  delay,
  recheck,
}: Policy): Draft => ({
  name,
  trigger,
  offset_days: offset_days ?? 0,
  condition,
  effects: effects.map((effect, key) => ({
    key,
    do: effect.do,
    everywhere: effect.app === 'all',
    app: effect.app === 'all' ? null : effect.app,
    chosen: chosenIn(effect),
  })),
  delay: delayOf(delay),
  recheck,
});

const chosenIn = ({ memberships, assignments }: Effect): Chosen[] =>
  [['group', memberships] as const, ['license', assignments] as const].flatMap(([type, bySlug]) =>
    Object.entries(bySlug).flatMap(([slug, ids]) => ids.map((id) => ({ slug, type, id, name: id }))),
  );

/** The request body for a policy. */
export type Body = ReturnType<typeof bodyOf>;

/** Returns the request body for a draft. */
export const bodyOf = ({ name, trigger, offset_days, condition, effects, delay, recheck }: Draft) => ({
  name: name.trim(),
  trigger,
  offset_days: hasDays(trigger) ? Number(offset_days) || 0 : null,
  condition,
  effects: effects.map((effect) => {
    const chosen = namesEntitlements(effect.do) && !effect.everywhere ? effect.chosen : [];
    return {
      do: effect.do,
      app: effect.everywhere ? 'all' : (effect.app ?? ''),
      memberships: idsBySlug(chosen, 'group'),
      assignments: idsBySlug(chosen, 'license'),
    };
  }),
  delay: isoOf(delay),
  recheck,
});

/** The form field for a path of the API. */
export function fieldOf(path: string, { delay }: Draft): string {
  if (path === 'delay') return delay.unit === 'other' ? 'delay.text' : 'delay.number';
  return path.replace(/^(effects\.\d+)\.(memberships|assignments)\b.*/, '$1.chosen');
}

/** Returns a sentence about the first missing value, or undefined if the draft is complete. */
export function missingValue({ condition, effects, delay }: Draft): string | undefined {
  if (condition.trim() === '') return t`Complete the condition, or match everyone.`;
  if (effects.length === 0) return t`Add at least one effect.`;
  if (effects.some(({ everywhere, app }) => !everywhere && app === null))
    return t`Choose an app for each effect.`;
  if (delay.unit === 'other' && delay.text.trim() === '') return t`Enter a duration.`;
  return undefined;
}
