import '@mantine/core/styles/NumberInput.css';
import { Alert, Button, Checkbox, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { detailOf } from '../../api/error.ts';
import { AppsPicker } from '../../parts/apps-picker.tsx';
import { ConditionField } from '../../parts/condition-field.tsx';
import { ConditionHelp, OF_REVIEWS } from '../../parts/condition-help.tsx';
import { PeoplePicker } from '../../parts/person.tsx';
import { FREQUENCIES, missing, type Settings, sentences } from './campaign.ts';
import classes from './reviews.module.css';

interface Props {
  title: string;
  /** On the button: "Create campaign". */
  action: string;
  from: Settings;
  close: () => void;
  busy: boolean;
  /** What the server refused, if it did. */
  error: unknown;
  save: (settings: Settings) => void;
}

const REVIEWERS = [
  { value: 'manager', label: "Each person's manager" },
  { value: 'app_owner', label: 'The owner of the app' },
  { value: 'people', label: 'People whom I choose' },
];
const SILENCE = [
  { value: 'keep', label: 'It is kept' },
  { value: 'revoke', label: 'It is revoked' },
];
const ACCOUNTS = [
  { value: 'delete', label: 'The account is deleted' },
  { value: 'suspend', label: 'The account is suspended' },
];

/** A campaign, new or as it is; says in sentences what it will do. */
export function CampaignForm({ title, action, from, close, busy, error, save }: Props) {
  const [settings, setSettings] = useState(from);
  const set = (change: Partial<Settings>) => setSettings((now) => ({ ...now, ...change }));
  const lacking = missing(settings);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (lacking === undefined) save(settings);
  };
  return (
    <Modal opened onClose={close} title={title} size="xl" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label="Name"
            value={settings.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            required
            maxLength={255}
            data-autofocus
          />
          <What settings={settings} set={set} />
          <Who settings={settings} set={set} />
          <When settings={settings} set={set} />
          <Then settings={settings} set={set} />
          <section className={classes.sentences} aria-label="What will happen" aria-live="polite">
            {sentences(settings).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </section>
          {error !== null && error !== undefined && (
            <Alert color="red" role="alert">
              {detailOf(error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            {lacking !== undefined && <span className={classes.warn}>{lacking}</span>}
            <Button type="submit" loading={busy} disabled={lacking !== undefined}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface Part {
  settings: Settings;
  set: (change: Partial<Settings>) => void;
}

function What({ settings, set }: Part) {
  return (
    <>
      <AppsPicker
        label="Apps"
        description="None chosen: all of them."
        value={settings.apps}
        set={(apps) => set({ apps })}
      />
      <ConditionField
        of="review"
        label="Whose access"
        description="A condition in CEL; empty: everybody's, and accounts that are nobody's."
        value={settings.users}
        set={(users) => set({ users })}
      />
      <details className={classes.details}>
        <summary>What a condition may speak of</summary>
        <ConditionHelp of={OF_REVIEWS} use={(users) => set({ users })} />
      </details>
      <Checkbox.Group
        label="What is reviewed"
        value={settings.include}
        onChange={(include) => set({ include: include as Settings['include'] })}
      >
        <Group gap="lg" mt={4}>
          <Checkbox value="accounts" label="Accounts" />
          <Checkbox value="memberships" label="Group memberships" />
          <Checkbox value="assignments" label="Licenses" />
        </Group>
      </Checkbox.Group>
    </>
  );
}

function Who({ settings, set }: Part) {
  return (
    <div className={classes.pair}>
      <Select
        label="Reviewer"
        description="Nobody reviews their own access."
        data={REVIEWERS}
        value={settings.reviewer}
        onChange={(reviewer) => set({ reviewer: reviewer as Settings['reviewer'] })}
        allowDeselect={false}
      />
      {settings.reviewer === 'people' && (
        <PeoplePicker
          label="Reviewers"
          description="Any of them may decide."
          value={settings.reviewers}
          set={(reviewers) => set({ reviewers })}
          required
        />
      )}
      <PeoplePicker
        label="Fallback reviewers"
        description="Where there is no such reviewer; none chosen: the administrators."
        value={settings.fallback}
        set={(fallback) => set({ fallback })}
      />
    </div>
  );
}

function When({ settings, set }: Part) {
  return (
    <div className={classes.pair}>
      <Select
        label="How often"
        description="On that day and time."
        data={[...FREQUENCIES]}
        value={settings.frequency}
        onChange={(frequency) => set({ frequency: frequency as Settings['frequency'] })}
        allowDeselect={false}
      />
      <TextInput
        type="datetime-local"
        label="Begins at (UTC)"
        description={
          settings.frequency === 'once' ? 'Empty: when it is started by hand.' : 'When the first one begins.'
        }
        value={settings.starts}
        onChange={({ currentTarget }) => set({ starts: currentTarget.value.slice(0, 16) })}
      />
      <NumberInput
        label="Days to decide"
        description="From the opening to the due date."
        value={settings.due_days}
        onChange={(days) => set({ due_days: Number(days) || 1 })}
        min={1}
        max={365}
        allowDecimal={false}
      />
    </div>
  );
}

function Then({ settings, set }: Part) {
  return (
    <div className={classes.pair}>
      <Select
        label="What nobody decided by then"
        data={SILENCE}
        value={settings.on_no_response}
        onChange={(decision) => set({ on_no_response: decision as Settings['on_no_response'] })}
        allowDeselect={false}
      />
      <Select
        label="Where an account is revoked"
        data={ACCOUNTS}
        value={settings.revoke_account_by}
        onChange={(by) => set({ revoke_account_by: by as Settings['revoke_account_by'] })}
        allowDeselect={false}
        disabled={!settings.include.includes('accounts')}
      />
      <NumberInput
        label="Cooling-off in hours"
        description="For how long a decision can be changed."
        value={settings.cooling_off_hours}
        onChange={(hours) => set({ cooling_off_hours: Number(hours) || 0 })}
        min={0}
        max={2160}
        allowDecimal={false}
      />
    </div>
  );
}
