import '@mantine/core/styles/NumberInput.css';
import { Alert, Button, Group, NumberInput, Select, Stack, TextInput, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { detailOf } from '../../api/error.ts';
import { ConditionField } from '../../parts/condition-field.tsx';
import { ConditionHelp, OF_POLICIES } from '../../parts/condition-help.tsx';
import { EffectFields } from './effect-fields.tsx';
import { PolicySentence } from './effect-words.tsx';
import classes from './policies.module.css';
import {
  bodyOf,
  type Delay,
  type Draft,
  type DraftEffect,
  missing,
  TRIGGERS,
  type Trigger,
  UNITS,
  type Unit,
} from './policy.ts';

interface Props {
  from: Draft;
  /** On the button: "Save". */
  action: string;
  busy: boolean;
  /** What the server refused, if it did. */
  error: unknown;
  save: (draft: Draft) => void;
  /** Beside the button: what saving means. */
  about: ReactNode;
  /** A saved policy that has not been changed need not be saved. */
  saved?: boolean;
}

const MOST_EFFECTS = 20;

/** A policy, new or as it is: trigger, condition, effects, delay, and the sentence that they make. */
export function Editor({ from, action, busy, error, save, about, saved = false }: Props) {
  const [draft, setDraft] = useState(from);
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }));
  const lacking = missing(draft);
  const unchanged = saved && JSON.stringify(bodyOf(draft)) === JSON.stringify(bodyOf(from));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (lacking === undefined) save(draft);
  };
  return (
    <div className={classes.editor}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label="Name"
            value={draft.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            required
            maxLength={255}
          />
          <Select
            label="When"
            description={TRIGGERS.find(({ value }) => value === draft.trigger)?.about}
            data={TRIGGERS.map(({ value, label }) => ({ value, label }))}
            value={draft.trigger}
            onChange={(trigger) => set({ trigger: trigger as Trigger })}
            allowDeselect={false}
          />
          <ConditionField
            of="policy"
            label="If"
            description="A condition in CEL; what has no value does not match."
            value={draft.condition}
            set={(condition) => set({ condition })}
            minRows={3}
            required
          />
          <Effects effects={draft.effects} set={(effects) => set({ effects })} />
          <DelayFields delay={draft.delay} set={(change) => set({ delay: { ...draft.delay, ...change } })} />
          {lacking === undefined && <PolicySentence of={bodyOf(draft)} />}
          {error !== null && error !== undefined && (
            <Alert color="red" role="alert">
              {detailOf(error)}
            </Alert>
          )}
          <Group gap="sm">
            <Button type="submit" loading={busy} disabled={lacking !== undefined || unchanged}>
              {action}
            </Button>
            <span className={classes.about}>{lacking ?? (unchanged ? 'Saved.' : about)}</span>
          </Group>
        </Stack>
      </form>
      <aside className={classes.help} aria-label="What a condition may speak of">
        <Title order={2}>What a condition may speak of</Title>
        <ConditionHelp of={OF_POLICIES} use={(condition) => set({ condition })} />
      </aside>
    </div>
  );
}

interface EffectsProps {
  effects: DraftEffect[];
  set: (effects: DraftEffect[]) => void;
}

function Effects({ effects, set }: EffectsProps) {
  const add = () => {
    const key = Math.max(0, ...effects.map((effect) => effect.key)) + 1;
    set([...effects, { key, do: 'suspend', everywhere: false, app: null, chosen: [] }]);
  };
  return (
    <section aria-label="Effects">
      <Title order={2} mb={6}>
        What it does
      </Title>
      {effects.map((effect, at) => (
        <EffectFields
          key={effect.key}
          effect={effect}
          number={at + 1}
          set={(change) => set(effects.map((one) => (one === effect ? { ...one, ...change } : one)))}
          remove={effects.length > 1 ? () => set(effects.filter((one) => one !== effect)) : undefined}
        />
      ))}
      {effects.length < MOST_EFFECTS && (
        <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
          Another effect
        </Button>
      )}
    </section>
  );
}

function DelayFields({ delay, set }: { delay: Delay; set: (change: Partial<Delay>) => void }) {
  const { unit, number, text } = delay;
  return (
    <div className={classes.inline}>
      {unit !== 'now' && unit !== 'other' && (
        <NumberInput
          label="After"
          value={number}
          onChange={(value) => set({ number: Number(value) || 1 })}
          min={1}
          max={99_999}
          allowDecimal={false}
          w={110}
        />
      )}
      {unit === 'other' && (
        <TextInput
          label="Duration"
          placeholder="P1M15D"
          value={text}
          onChange={({ currentTarget }) => set({ text: currentTarget.value })}
          w={160}
        />
      )}
      <Select
        label="Carried out"
        data={[...UNITS]}
        value={unit}
        onChange={(next) => set({ unit: next as Unit })}
        allowDeselect={false}
        w={190}
      />
    </div>
  );
}
