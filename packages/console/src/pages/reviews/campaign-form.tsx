import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/NumberInput.css';
import {
  Button,
  Checkbox,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { AppsPicker } from '../../apps/apps-picker.tsx';
import { ConditionField } from '../../conditions/condition-field.tsx';
import { ConditionHelp, OF_REVIEWS } from '../../conditions/condition-help.tsx';
import type { Edits } from '../../kit/form/edits.ts';
import { picker, useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { PeoplePicker } from '../../people/person.tsx';
import { FREQUENCIES, REVIEWERS, type Settings, sentences } from './campaign.ts';
import { RISKS } from './item.ts';
import classes from './reviews.module.css';

interface Props<T> {
  title: string;
  /** The button's label: "Create campaign". */
  action: string;
  initialValues: Settings;
  close: () => void;
  send: (settings: Settings, version: string | undefined) => Promise<T>;
  /** For a campaign that exists. */
  edits?: Edits<Settings>;
  /** The message shown on success. */
  success: string;
  after: (result: T) => void;
}

const NO_RESPONSE = {
  keep: t`Keep the access`,
  revoke: t`Revoke the access`,
} satisfies Record<Settings['on_no_response'], string>;
const ACCOUNTS = {
  delete: t`Delete the account`,
  suspend: t`Suspend the account`,
} satisfies Record<Settings['revoke_account_by'], string>;
const INCLUDED = {
  accounts: t`Accounts`,
  memberships: t`Group memberships`,
  assignments: t`Licenses`,
} satisfies Record<Settings['include'][number], string>;

const options = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** The fields of the form by the paths of the API, where they differ. */
const fieldOf = (path: string) => path.replace(/^scope\./, '').replace(/^reviewer\.\d+$/, 'reviewers');

/** Creates or edits a campaign. Describes what it will do while the person types. */
export function CampaignForm<T>({
  title,
  action,
  initialValues,
  close,
  send,
  edits,
  success,
  after,
}: Props<T>) {
  const { form, submit, pending, failure } = useApiForm<Settings, T>({
    initialValues,
    fieldOf,
    validate: {
      include: (include) => (include.length === 0 ? t`Select at least one kind of access.` : null),
      reviewers: (reviewers, { reviewer }) =>
        reviewer === 'people' && reviewers.length === 0 ? t`Select at least one reviewer.` : null,
      starts_at: (starts_at, { frequency }) =>
        frequency !== 'once' && starts_at === '' ? t`Enter when the first review starts.` : null,
    },
    send,
    ...(edits === undefined ? {} : { edits }),
    success,
    after,
  });
  return (
    <Modal opened onClose={close} title={title} size="xl" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t`Name`}
            required
            maxLength={255}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopeFields form={form} />
          <ReviewerFields form={form} />
          <ScheduleFields form={form} />
          <OutcomeFields form={form} />
          <section className={classes.sentences} aria-label={t`Summary`} aria-live="polite">
            {sentences(form.values).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </section>
          <FormFailure of={failure} />
          <Group justify="flex-end" gap="sm">
            <Button type="submit" loading={pending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  form: UseFormReturnType<Settings>;
}

function ScopeFields({ form }: FieldsProps) {
  return (
    <>
      <AppsPicker
        label={t`Apps`}
        description={t`Leave empty to review all apps.`}
        {...picker(form.getInputProps('apps'))}
      />
      <ConditionField
        of="review"
        label={t`People`}
        description={t`A CEL condition. Leave empty to review everyone, including orphaned accounts.`}
        {...picker(form.getInputProps('users'))}
      />
      <details className={classes.details}>
        <summary>
          <Trans>Available fields</Trans>
        </summary>
        <ConditionHelp of={OF_REVIEWS} use={(users) => form.setFieldValue('users', users)} />
      </details>
      <Checkbox.Group label={t`Access`} {...form.getInputProps('include')}>
        <Group gap="lg" mt={4}>
          {options(INCLUDED).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <div className={classes.pair}>
        <NumberInput
          label={t`Not used for (days)`}
          description={t`Leave empty to review accounts in use, too.`}
          min={1}
          max={36_500}
          allowDecimal={false}
          {...form.getInputProps('not_used_for_days')}
          value={form.values.not_used_for_days ?? ''}
          onChange={(days) => form.setFieldValue('not_used_for_days', days === '' ? null : Number(days))}
        />
        <MultiSelect
          label={t`Risk of groups`}
          description={t`Leave empty to review groups of any risk.`}
          data={options(RISKS)}
          disabled={!form.values.include.includes('memberships')}
          {...form.getInputProps('risks')}
        />
      </div>
    </>
  );
}

function ReviewerFields({ form }: FieldsProps) {
  return (
    <div className={classes.pair}>
      <Select
        label={t`Reviewer`}
        description={t`Nobody reviews their own access.`}
        data={options(REVIEWERS)}
        allowDeselect={false}
        {...form.getInputProps('reviewer')}
      />
      {form.values.reviewer === 'people' && (
        <PeoplePicker
          label={t`Reviewers`}
          description={t`Any of them can decide.`}
          required
          {...picker(form.getInputProps('reviewers'))}
        />
      )}
      <PeoplePicker
        label={t`Fallback reviewers`}
        description={t`Decide if there is no such reviewer. Leave empty for the administrators.`}
        {...picker(form.getInputProps('fallback_reviewers'))}
      />
    </div>
  );
}

function ScheduleFields({ form }: FieldsProps) {
  return (
    <div className={classes.pair}>
      <Select
        label={t`Frequency`}
        description={t`Repeats on the day and time of the start.`}
        data={options(FREQUENCIES)}
        allowDeselect={false}
        {...form.getInputProps('frequency')}
      />
      <TextInput
        type="datetime-local"
        label={t`Start`}
        description={
          form.values.frequency === 'once'
            ? t`In your local time. Leave empty to start it manually.`
            : t`When the first review starts, in your local time.`
        }
        {...form.getInputProps('starts_at')}
        onChange={({ currentTarget }) => form.setFieldValue('starts_at', currentTarget.value.slice(0, 16))}
      />
      <NumberInput
        label={t`Days to decide`}
        description={t`From the start to the due date.`}
        min={1}
        max={365}
        allowDecimal={false}
        {...form.getInputProps('due_days')}
        onChange={(days) => form.setFieldValue('due_days', Number(days) || 1)}
      />
      <NumberInput
        label={t`Escalate after (working days)`}
        description={t`To the reviewer's manager. Leave empty to never escalate.`}
        min={1}
        max={100}
        allowDecimal={false}
        {...form.getInputProps('escalate_after_working_days')}
        value={form.values.escalate_after_working_days ?? ''}
        onChange={(days) =>
          form.setFieldValue('escalate_after_working_days', days === '' ? null : Number(days))
        }
      />
    </div>
  );
}

function OutcomeFields({ form }: FieldsProps) {
  return (
    <div className={classes.pair}>
      <Select
        label={t`If nobody decides in time`}
        data={options(NO_RESPONSE)}
        allowDeselect={false}
        {...form.getInputProps('on_no_response')}
      />
      <Select
        label={t`If an account is revoked`}
        data={options(ACCOUNTS)}
        allowDeselect={false}
        disabled={!form.values.include.includes('accounts')}
        {...form.getInputProps('revoke_account_by')}
      />
      <NumberInput
        label={t`Cooling-off period (hours)`}
        description={t`How long a decision can be changed.`}
        min={0}
        max={2160}
        allowDecimal={false}
        {...form.getInputProps('cooling_off_hours')}
        onChange={(hours) => form.setFieldValue('cooling_off_hours', Number(hours) || 0)}
      />
    </div>
  );
}
