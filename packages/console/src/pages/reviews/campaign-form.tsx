import { t } from '@lingui/core/macro';
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { apps } from '../../apps/app-fields.tsx';
import { condition } from '../../conditions/condition-fields.tsx';
import { ConditionHelp, OF_REVIEWS } from '../../conditions/condition-help.tsx';
import { checks, multi, select } from '../../kit/form/choice-fields.tsx';
import { bodyIn, orNull, valuesIn } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { number } from '../../kit/form/number-field.tsx';
import { moment, text } from '../../kit/form/text-fields.tsx';
import { people } from '../../people/person-fields.tsx';
import {
  bodyOf,
  type Campaign,
  FREQUENCIES,
  REVIEWERS,
  type Settings,
  sentences,
  settingsOf,
} from './campaign.ts';
import { RISKS } from './item.ts';
import layout from './new-review.module.css';
import classes from './reviews.module.css';

interface Props<T> {
  /** The button's label: "Create campaign". */
  action: string;
  /** The campaign to change. */
  of?: Campaign;
  /** The settings of a new one. */
  initial?: Settings | undefined;
  /** Loads a campaign that exists. */
  read?: () => Promise<Campaign>;
  send: (body: ReturnType<typeof bodyOf>, version: string | undefined) => Promise<T>;
  /** The message shown on success. */
  success: string;
  after: (result: T) => void;
  /** Shown beside the fields, for their values. */
  beside?: (settings: Settings) => ReactNode;
}

const FIELDS = {
  name: text({ label: t`Name`, required: true, maxLength: 255, 'data-autofocus': true }),
  apps: apps({ label: t`Apps`, description: t`Leave empty to review all apps.` }),
  users: condition({
    of: 'review',
    label: t`People`,
    description: t`Leave empty to review everyone, including orphaned accounts.`,
    optional: true,
  }),
  include: checks({
    label: t`Access`,
    data: optionsOf<Settings['include'][number]>({
      accounts: t`Accounts`,
      memberships: t`Group memberships`,
      assignments: t`Licenses`,
    }),
    initial: ['accounts', 'memberships', 'assignments'],
    inline: true,
  }),
  not_used_for_days: orNull(
    number({
      label: t`Not used for (days)`,
      description: t`Leave empty to review accounts in use, too.`,
      min: 1,
      max: 36_500,
    }),
  ),
  risks: multi({
    label: t`Risk of groups`,
    description: t`Leave empty to review groups of any risk.`,
    data: optionsOf(RISKS),
  }),
  reviewer: select({
    label: t`Reviewer`,
    description: t`Nobody reviews their own access.`,
    data: optionsOf(REVIEWERS),
    initial: 'manager',
  }),
  reviewers: people({ label: t`Reviewers`, description: t`Any of them can decide.`, required: true }),
  fallback_reviewers: people({
    label: t`Fallback reviewers`,
    description: t`Decide if there is no such reviewer. Leave empty for the administrators.`,
  }),
  frequency: select({
    label: t`Frequency`,
    description: t`Repeats on the day and time of the start.`,
    data: optionsOf(FREQUENCIES),
    initial: 'once',
  }),
  starts_at: { ...moment({ label: t`Start` }), write: (value: string) => value.slice(0, 16) },
  due_days: number({
    label: t`Days to decide`,
    description: t`From the start to the due date.`,
    min: 1,
    max: 365,
    initial: 14,
    instead: 1,
  }),
  escalate_after_working_days: orNull(
    number({
      label: t`Escalate after (working days)`,
      description: t`To the reviewer's manager. Leave empty to never escalate.`,
      min: 1,
      max: 100,
    }),
  ),
  on_no_response: select({
    label: t`If nobody decides in time`,
    data: optionsOf<Settings['on_no_response']>({
      keep: t`Keep the access`,
      revoke: t`Revoke the access`,
    }),
    initial: 'keep',
  }),
  revoke_account_by: select({
    label: t`If an account is revoked`,
    data: optionsOf<Settings['revoke_account_by']>({
      delete: t`Delete the account`,
      suspend: t`Suspend the account`,
    }),
    initial: 'delete',
  }),
  cooling_off_hours: number({
    label: t`Cooling-off period (hours)`,
    description: t`How long a decision can be changed.`,
    min: 0,
    max: 2160,
    initial: 24,
    instead: 0,
  }),
};

export const NEW_CAMPAIGN: Settings = bodyIn(FIELDS, valuesIn(FIELDS));

interface DialogProps<T> extends Props<T> {
  title: string;
  close: () => void;
}

/** Edits a campaign in a dialog. */
export function CampaignForm<T>({ title, close, ...props }: DialogProps<T>) {
  return (
    <Modal opened onClose={close} title={title} size="xl" closeOnClickOutside={false}>
      <CampaignEditor {...props} />
    </Modal>
  );
}

/** Creates or edits a campaign. Describes what it will do while the person types. */
export function CampaignEditor<T>(props: Props<T>) {
  const { action, of, initial, read, send, success, after, beside } = props;
  const fields = useFields(FIELDS, {
    of: of ?? initial,
    read,
    from: (data: Campaign | Settings) => ('scope' in data ? settingsOf(data) : data),
    fieldOf: (path) => path.replace(/^scope\./, '').replace(/^reviewer\.\d+$/, 'reviewers'),
    validate: {
      include: (include) => (include.length === 0 ? t`Select at least one kind of access.` : null),
      reviewers: (reviewers, { reviewer }) =>
        reviewer === 'people' && reviewers.length === 0 ? t`Select at least one reviewer.` : null,
      starts_at: (starts_at, { frequency }) =>
        frequency !== 'once' && starts_at === '' ? t`Enter when the first review starts.` : null,
    },
    send: (settings, { version }) => send(bodyOf(settings), version),
    success,
    after,
  });
  const { form, submit, pending, failure } = fields;
  const { include, reviewer, frequency } = form.values;
  const settings = bodyIn(FIELDS, form.values);
  const start =
    frequency === 'once'
      ? t`In your local time. Leave empty to start it manually.`
      : t`When the first review starts, in your local time.`;
  return (
    <div className={layout.columns} data-beside={beside !== undefined || undefined}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Fields of={fields} only={['name', 'apps', 'users']} />
          <details className={classes.details}>
            <summary>{t`Available fields`}</summary>
            <ConditionHelp of={OF_REVIEWS} use={(users) => form.setFieldValue('users', users)} />
          </details>
          <Fields of={fields} only={['include']} />
          <div className={classes.pair}>
            <Fields
              of={fields}
              only={['not_used_for_days', 'risks']}
              props={{ risks: { disabled: !include.includes('memberships') } }}
            />
          </div>
          <div className={classes.pair}>
            <Fields
              of={fields}
              only={['reviewer', reviewer === 'people' && 'reviewers', 'fallback_reviewers']}
            />
          </div>
          <div className={classes.pair}>
            <Fields
              of={fields}
              only={['frequency', 'starts_at', 'due_days', 'escalate_after_working_days']}
              props={{ starts_at: { description: start } }}
            />
          </div>
          <div className={classes.pair}>
            <Fields
              of={fields}
              only={['on_no_response', 'revoke_account_by', 'cooling_off_hours']}
              props={{ revoke_account_by: { disabled: !include.includes('accounts') } }}
            />
          </div>
          <section className={classes.sentences} aria-label={t`Summary`} aria-live="polite">
            {sentences(settings).map((sentence) => (
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
      {beside !== undefined && <div className={layout.beside}>{beside(settings)}</div>}
    </div>
  );
}
