import { t } from '@lingui/core/macro';
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
  condition: string;
  effects: DraftEffect[];
  delay: Delay;
  recheck: boolean;
}

export const NEW: Draft = {
  name: '',
  trigger: 'user.created',
  condition: '',
  effects: [{ key: 0, do: 'grant', everywhere: false, app: null, chosen: [] }],
  delay: delayOf(null),
  recheck: true,
};

export const draftOf = ({ name, trigger, condition, effects, delay, recheck }: Policy): Draft => ({
  name,
  trigger,
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
export const bodyOf = ({ name, trigger, condition, effects, delay, recheck }: Draft) => ({
  name: name.trim(),
  trigger,
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
