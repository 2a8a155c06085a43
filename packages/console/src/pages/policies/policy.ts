import type { Item } from '../../api/client.ts';
import { type Chosen, idsBySlug } from '../../parts/resource-picker.tsx';
import { counted, durationWords } from '../../parts/words.ts';

export type Policy = Item<'/api/policies/'>;
export type Effect = Policy['effects'][number];
export type Trigger = Policy['trigger'];
export type Action = Effect['do'];

interface TriggerText {
  label: string;
  /** After "When". */
  clause: string;
  about: string;
}

export const TRIGGERS: Record<Trigger, TriggerText> = {
  'user.created': {
    label: 'Person created',
    clause: 'a person is created',
    about: 'A person is added by hand, by an import or by an identity provider.',
  },
  'user.updated': {
    label: 'Person updated',
    clause: 'a person is updated',
    about: 'A field of a person changes, such as the department or the title.',
  },
  'user.deactivated': {
    label: 'Person deactivated',
    clause: 'a person is deactivated',
    about: 'A person leaves.',
  },
  'user.reactivated': {
    label: 'Person reactivated',
    clause: 'a person is reactivated',
    about: 'A person returns.',
  },
  'account.discovered': {
    label: 'Account discovered',
    clause: 'a sync discovers an account',
    about: 'A sync finds a new account. The first sync of an app is its baseline and triggers nothing.',
  },
  daily: {
    label: 'Every day',
    clause: 'a day begins',
    about: 'After midnight UTC, for all people and all orphaned accounts.',
  },
};

export const triggerLabel = (trigger: Trigger) => TRIGGERS[trigger].label;
export const TRIGGER_OPTIONS = (Object.keys(TRIGGERS) as Trigger[]).map((value) => ({
  value,
  label: triggerLabel(value),
}));

export const ACTIONS: Record<Action, string> = {
  grant: 'Grant access',
  revoke: 'Revoke groups and licenses',
  suspend: 'Suspend account',
  unsuspend: 'Unsuspend account',
  delete: 'Delete account',
};

/** Whether an action applies to groups and licenses that the effect names. */
export const namesEntitlements = (action: Action) => action === 'grant' || action === 'revoke';

/** Returns a phrase such as "grant an account with 2 groups and licenses". `count` is the number of named ones. */
export function effectPhrase(action: Action, count: number): string {
  const entitlements = counted(count, 'group or license', 'groups and licenses');
  switch (action) {
    case 'grant':
      return count === 0 ? 'grant an account' : `grant an account with ${entitlements}`;
    case 'revoke':
      return count === 0 ? 'revoke all groups and licenses' : `revoke ${entitlements}`;
    case 'suspend':
      return 'suspend the account';
    case 'unsuspend':
      return 'unsuspend the account';
    case 'delete':
      return 'delete the account';
  }
}

/** Returns the groups and licenses that an effect names. */
export const entitlementsOf = ({ memberships, assignments }: Effect) =>
  [...Object.values(memberships), ...Object.values(assignments)].flat();

export const UNITS = {
  now: 'No delay',
  hours: 'Hours',
  days: 'Days',
  weeks: 'Weeks',
  months: 'Months',
  other: 'ISO 8601 duration',
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
  const { unit, number } = delayOf(iso);
  if (unit === 'now') return 'immediately';
  return `after ${unit === 'other' ? durationWords(iso ?? '') : counted(Number(number), unit.slice(0, -1))}`;
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
}

export const NEW: Draft = {
  name: '',
  trigger: 'user.created',
  condition: '',
  effects: [{ key: 0, do: 'grant', everywhere: false, app: null, chosen: [] }],
  delay: delayOf(null),
};

export const draftOf = ({ name, trigger, condition, effects, delay }: Policy): Draft => ({
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
});

const chosenIn = ({ memberships, assignments }: Effect): Chosen[] =>
  [['group', memberships] as const, ['license', assignments] as const].flatMap(([type, bySlug]) =>
    Object.entries(bySlug).flatMap(([slug, ids]) => ids.map((id) => ({ slug, type, id, name: id }))),
  );

/** Returns the request body for a draft. */
export const bodyOf = ({ name, trigger, condition, effects, delay }: Draft) => ({
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
});

/** The form field for a path of the API. */
export function fieldOf(path: string, { delay }: Draft): string {
  if (path === 'delay') return delay.unit === 'other' ? 'delay.text' : 'delay.number';
  return path.replace(/^(effects\.\d+)\.(memberships|assignments)\b.*/, '$1.chosen');
}

/** Returns a sentence about the first missing value, or undefined if the draft is complete. */
export function missingValue({ condition, effects, delay }: Draft): string | undefined {
  if (condition.trim() === '') return 'Enter a condition. Use true to match everyone.';
  if (effects.length === 0) return 'Add at least one effect.';
  if (effects.some(({ everywhere, app }) => !everywhere && app === null))
    return 'Choose an app for each effect.';
  if (delay.unit === 'other' && delay.text.trim() === '') return 'Enter a duration.';
  return undefined;
}
