import { ActionIcon, Button, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { useMe } from '../../api/me.ts';
import { PeoplePicker } from '../../parts/person.tsx';
import { Section } from '../../parts/section.tsx';
import type { App } from './app.ts';
import { Save, useAppChange } from './app-change.tsx';
import classes from './app-settings.module.css';

type Step = App['approval_steps'][number] & { key: number };

const WHO = [
  { value: 'manager', label: "The person's manager" },
  { value: 'app_owner', label: 'The owner of the app' },
  { value: 'people', label: 'Certain people' },
];

let keys = 0;

/** Who decides about requests for an app, in order (governance.md "Requests"). */
export function ApprovalRoute({ app }: { app: App }) {
  const { manages } = useMe();
  const [steps, setSteps] = useState<Step[]>(() =>
    app.approval_steps.map((step) => ({ ...step, key: keys++ })),
  );
  const [fallback, setFallback] = useState(app.fallback_approvers);
  const change = useAppChange(app);
  const incomplete =
    steps.some(({ approvers }) => approvers.length === 0) || (fallback !== null && fallback.length === 0);

  const set = (at: number, next: Partial<Step>) =>
    setSteps(steps.map((step, index) => (index === at ? { ...step, ...next } : step)));
  const move = (from: number, to: number) => {
    const moved = steps.filter((_, index) => index !== from);
    const step = steps[from];
    if (step !== undefined) setSteps(moved.toSpliced(to, 0, step));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({
      approval_steps: steps.map(({ approvers, require }) => ({ approvers, require })),
      fallback_approvers: fallback,
    });
  };

  return (
    <Section title="Approval route">
      <form onSubmit={submit}>
        <Text size="sm" c="dimmed" mb="xs">
          Who decides about a request for this app: step by step, and one denial ends it. Nobody approves
          their own request.
        </Text>
        {steps.map((step, index) => (
          <fieldset key={step.key} className={classes.step} aria-label={`Step ${index + 1}`}>
            <div className={classes.stepHead}>
              <strong>Step {index + 1}</strong>
              {manages && steps.length > 1 && (
                <Group gap={4}>
                  <ActionIcon
                    aria-label={`Move step ${index + 1} up`}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Move step ${index + 1} down`}
                    disabled={index === steps.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <IconArrowDown size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Remove step ${index + 1}`}
                    onClick={() => setSteps(steps.filter((_, other) => other !== index))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Group>
              )}
            </div>
            <StepFields step={step} set={(next) => set(index, next)} />
          </fieldset>
        ))}
        <Stack gap="sm">
          {manages && steps.length < 10 && (
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={15} aria-hidden />}
                onClick={() => setSteps([...steps, { approvers: 'manager', require: 'any', key: keys++ }])}
              >
                Add a step
              </Button>
            </Group>
          )}
          <Switch
            label="Where nobody is left to decide, certain people do"
            description="Otherwise the administrators of the organization."
            checked={fallback !== null}
            onChange={({ currentTarget }) => setFallback(currentTarget.checked ? [] : null)}
          />
          {fallback !== null && <PeoplePicker label="They are" value={fallback} set={setFallback} required />}
          {incomplete && (
            <Text size="sm" role="status">
              Choose at least one person wherever certain people decide.
            </Text>
          )}
          {!incomplete && <Save pending={change.isPending} />}
        </Stack>
      </form>
    </Section>
  );
}

function StepFields({ step, set }: { step: Step; set: (next: Partial<Step>) => void }) {
  const { approvers, require } = step;
  const who = typeof approvers === 'string' ? approvers : 'people';
  return (
    <>
      <Select
        label="Who approves"
        data={WHO}
        value={who}
        allowDeselect={false}
        onChange={(next) => set({ approvers: next === 'manager' || next === 'app_owner' ? next : [] })}
      />
      {typeof approvers !== 'string' && (
        <>
          <PeoplePicker label="People" value={approvers} set={(next) => set({ approvers: next })} required />
          <Select
            label="How many of them"
            data={[
              { value: 'any', label: 'One is enough' },
              { value: 'all', label: 'All of them' },
            ]}
            value={require}
            allowDeselect={false}
            onChange={(next) => set({ require: next === 'all' ? 'all' : 'any' })}
          />
        </>
      )}
    </>
  );
}
