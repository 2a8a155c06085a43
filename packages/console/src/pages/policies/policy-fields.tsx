import { t } from '@lingui/core/macro';
import '@mantine/core/styles/NumberInput.css';
import { NumberInput, Select, TextInput } from '@mantine/core';
import { type Chosen, idsBySlug } from '../../access/chosen.ts';
import { condition } from '../../conditions/condition-fields.tsx';
import { INCOMPLETE } from '../../conditions/condition-model.ts';
import { check, select } from '../../kit/form/choice-fields.tsx';
import { bodyIn, type Input, type Values } from '../../kit/form/field.ts';
import { picker } from '../../kit/form/form.ts';
import { optionsOf } from '../../kit/form/form-options.ts';
import { number } from '../../kit/form/number-field.tsx';
import { text } from '../../kit/form/text-fields.tsx';
import classes from './policies.module.css';
import {
  type Action,
  chosenIn,
  delayPhrase,
  type Effect,
  hasDays,
  namesEntitlements,
  TRIGGER_OPTIONS,
  type Trigger,
} from './policy.ts';
import { Effects } from './policy-sentence.tsx';

const UNITS = {
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

interface DelayProps {
  value: Delay;
  set: (delay: Delay) => void;
}

function DelayInput({ value, set, ...field }: DelayProps) {
  const { unit, text: duration } = value;
  return (
    <div className={classes.inline}>
      {unit !== 'now' && unit !== 'other' && (
        <NumberInput
          {...field}
          label={t`Number`}
          value={value.number}
          onChange={(next) => set({ ...value, number: next })}
          min={1}
          max={99_999}
          allowDecimal={false}
          required
          w={110}
        />
      )}
      {unit === 'other' && (
        <TextInput
          {...field}
          label={t`Duration`}
          placeholder="P1M15D"
          value={duration}
          onChange={({ currentTarget }) => set({ ...value, text: currentTarget.value })}
          w={160}
        />
      )}
      <Select
        label={t`Delay`}
        data={optionsOf(UNITS)}
        value={unit}
        onChange={(next) => set({ ...value, unit: next ?? 'now' })}
        allowDeselect={false}
        w={190}
      />
    </div>
  );
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

export const NEW_EFFECT: DraftEffect = { key: 0, do: 'grant', everywhere: false, app: null, chosen: [] };

const effectOf = (effect: Effect, key: number): DraftEffect => ({
  key,
  do: effect.do,
  everywhere: effect.app === 'all',
  app: effect.app === 'all' || effect.app === '' ? null : effect.app,
  chosen: chosenIn(effect),
});

function effectIn({ do: action, everywhere, app, chosen }: DraftEffect): Effect {
  const named = namesEntitlements(action) && !everywhere ? chosen : [];
  return {
    do: action,
    app: everywhere ? 'all' : (app ?? ''),
    memberships: idsBySlug(named, 'group'),
    assignments: idsBySlug(named, 'license'),
  };
}

export const FIELDS = {
  name: text({ label: t`Name`, required: true, maxLength: 255 }),
  trigger: select<Trigger, Trigger>({ label: t`Trigger`, data: TRIGGER_OPTIONS, initial: 'user.created' }),
  /** Only for triggers with days. */
  offset_days: number({
    label: t`Days after`,
    description: t`0 is the day itself. A negative number is that many days before.`,
    initial: 0,
    min: -90,
    max: 90,
    required: true,
    w: 260,
  }),
  condition: condition({ label: t`Condition`, of: 'policy' }),
  effects: {
    label: t`Effects`,
    initial: [NEW_EFFECT],
    read: (effects: unknown) => (effects as Effect[]).map(effectOf),
    write: (effects: DraftEffect[]) => effects.map(effectIn),
    show: (effects: DraftEffect[]) => <Effects of={effects.map(effectIn)} />,
  },
  delay: {
    label: t`Timing`,
    initial: delayOf(null),
    read: (iso: unknown) => delayOf(String(iso)),
    write: isoOf,
    show: (delay: Delay) => delayPhrase(isoOf(delay)),
    control: (input: Input) => <DelayInput {...picker(input)} />,
  },
  recheck: check({
    label: t`Decide again before each task`,
    description: t`When a task is due, and before a connector gets it, the trigger and the condition must still hold.`,
    initial: true,
  }),
};

/** A policy in the form. */
export type Draft = Values<typeof FIELDS>;

/** Returns the request body for a draft. */
export function bodyOf(draft: Draft) {
  const { offset_days, ...body } = bodyIn(FIELDS, draft);
  return { ...body, offset_days: hasDays(body.trigger) ? (offset_days ?? 0) : null };
}

/** The form field for a path of the API. */
export const fieldOf = (path: string) =>
  path.replace(/^(effects\.\d+)\.(memberships|assignments)\b.*/, '$1.chosen');

/** Returns a sentence about the first missing value, or undefined if the draft is complete. */
export function missingValue({ condition, effects, delay }: Draft): string | undefined {
  if (condition.trim() === '' || condition === INCOMPLETE)
    return t`Complete the condition, or match everyone.`;
  if (effects.length === 0) return t`Add at least one effect.`;
  if (effects.some(({ everywhere, app }) => !everywhere && app === null))
    return t`Choose an app for each effect.`;
  if (delay.unit === 'other' && delay.text.trim() === '') return t`Enter a duration.`;
  return undefined;
}
