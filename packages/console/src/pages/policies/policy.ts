import type { Item } from '../../api/client.ts';
import { type Chosen, idsBySlug } from '../../parts/resource-picker.tsx';
import { counted } from '../../parts/words.ts';

export type Policy = Item<'/api/policies/'>;
export type Effect = Policy['effects'][number];
export type Trigger = Policy['trigger'];
export type Kind = Effect['do'];

export const TRIGGERS: readonly { value: Trigger; label: string; about: string }[] = [
  {
    value: 'user.created',
    label: 'Somebody joins',
    about: 'A person is created here, by hand or by an import.',
  },
  {
    value: 'user.updated',
    label: 'Somebody changes',
    about: 'A field of a person changes: department, title, ...',
  },
  { value: 'user.deactivated', label: 'Somebody leaves', about: 'A person is deactivated.' },
  { value: 'user.reactivated', label: 'Somebody comes back', about: 'A person is active again.' },
  {
    value: 'account.discovered',
    label: 'A sync discovers an account',
    about: 'One that was not there before. The first sync of an app is its baseline, and fires nothing.',
  },
  {
    value: 'daily',
    label: 'Every day',
    about: "After midnight UTC: everybody, and every account that is nobody's.",
  },
];

export const triggerWord = (trigger: Trigger) =>
  TRIGGERS.find(({ value }) => value === trigger)?.label ?? trigger;

export const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'grant', label: 'Give access' },
  { value: 'revoke', label: 'Take groups and licenses' },
  { value: 'suspend', label: 'Suspend the account' },
  { value: 'unsuspend', label: 'Unsuspend the account' },
  { value: 'delete', label: 'Delete the account' },
];

/** Groups and licenses are named with these, in one app. */
export const naming = (kind: Kind) => kind === 'grant' || kind === 'revoke';

/** "give an account with 2 groups and licenses", without the app. */
export function effectPhrase(kind: Kind, named: number): string {
  const what = counted(named, 'group or license', 'groups and licenses');
  switch (kind) {
    case 'grant':
      return named === 0 ? 'give an account' : `give an account with ${what}`;
    case 'revoke':
      return named === 0 ? 'take every group and license' : `take ${what}`;
    case 'suspend':
      return 'suspend the account';
    case 'unsuspend':
      return 'unsuspend the account';
    case 'delete':
      return 'delete the account';
  }
}

export const namedIn = ({ memberships, assignments }: Effect) =>
  [...Object.values(memberships), ...Object.values(assignments)].flat();

export const UNITS = [
  { value: 'now', label: 'at once' },
  { value: 'hours', label: 'hours later' },
  { value: 'days', label: 'days later' },
  { value: 'weeks', label: 'weeks later' },
  { value: 'months', label: 'months later' },
  { value: 'other', label: 'ISO 8601 duration' },
] as const;
export type Unit = (typeof UNITS)[number]['value'];

const WRITTEN = { hours: ['PT', 'H'], days: ['P', 'D'], weeks: ['P', 'W'], months: ['P', 'M'] } as const;

/** A duration as a person chooses it; what is more than a number of one unit stays as it is written. */
export interface Delay {
  unit: Unit;
  number: number;
  text: string;
}

function delayOf(iso: string | null): Delay {
  if (iso === null) return { unit: 'now', number: 1, text: '' };
  for (const [unit, [before, after]] of Object.entries(WRITTEN)) {
    const [, number] = new RegExp(`^${before}(\\d+)${after}$`).exec(iso) ?? [];
    if (number !== undefined) return { unit: unit as Unit, number: Number(number), text: iso };
  }
  return { unit: 'other', number: 1, text: iso };
}

function isoOf({ unit, number, text }: Delay): string | null {
  if (unit === 'now') return null;
  if (unit === 'other') return text.trim();
  const [before, after] = WRITTEN[unit];
  return `${before}${number}${after}`;
}

/** "at once", "after 30 days". */
export function delayWords(iso: string | null): string {
  const { unit, number } = delayOf(iso);
  if (unit === 'now') return 'at once';
  return unit === 'other' ? `after ${iso}` : `after ${counted(number, unit.slice(0, -1))}`;
}

/** An effect as a form holds it. */
export interface DraftEffect {
  /** For React alone. */
  key: number;
  do: Kind;
  everywhere: boolean;
  app: string | null;
  chosen: Chosen[];
}

/** What its author says, as a form holds it. */
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

/** As the API takes it. */
export const bodyOf = ({ name, trigger, condition, effects, delay }: Draft) => ({
  name: name.trim(),
  trigger,
  condition,
  effects: effects.map((effect) => {
    const chosen = naming(effect.do) && !effect.everywhere ? effect.chosen : [];
    return {
      do: effect.do,
      app: effect.everywhere ? 'all' : (effect.app ?? ''),
      memberships: idsBySlug(chosen, 'group'),
      assignments: idsBySlug(chosen, 'license'),
    };
  }),
  delay: isoOf(delay),
});

/** Why it cannot be saved yet; undefined: it can. */
export function missing({ condition, effects, delay }: Draft): string | undefined {
  if (condition.trim() === '') return 'Say whom it fits; true is everybody.';
  if (effects.length === 0) return 'Say what it does.';
  if (effects.some(({ everywhere, app }) => !everywhere && app === null))
    return 'Choose an app for each effect.';
  if (delay.unit === 'other' && delay.text.trim() === '') return 'Say how much later.';
  return undefined;
}
