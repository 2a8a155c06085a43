import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { Component, Instant, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { FINDING_SEVERITIES, FindingStatus, KIND_NAMES, SUBJECTS } from './finding.ts';

const Text = Type.String();
const { default: _, ...Status } = FindingStatus as typeof FindingStatus & { default?: string };

/** Something that is wrong in an organization. */
export const FindingView = Component('Finding', {
  external_uuid: Uuid,
  kind: Type.Enum([...KIND_NAMES], { title: 'FindingKind' }),
  severity: Type.Enum([...FINDING_SEVERITIES], { title: 'FindingSeverity' }),
  text: Component('FindingText', {
    code: { ...Text, description: 'The code of the sentence. See docs/reference/errors.md.' },
    values: MapOf(Type.Unknown(), { description: 'The values in the sentence.' }),
    sentence: Text,
  }),
  subject: Component('FindingSubject', {
    type: Type.Enum([...SUBJECTS]),
    external_uuid: Uuid,
    label: { ...Text, description: 'Its name now. Empty if it no longer exists.' },
  }),
  since: { ...Timestamp, description: 'When it began for the first time, as far as that is known.' },
  owner: Nullable({
    ...PersonReference,
    description: 'The owner of the app, or the manager of the person for findings without an app.',
  }),
  assignee: Nullable(PersonReference),
  status: Status as typeof FindingStatus,
  accepted_until: Nullable(Timestamp),
  accepted_by: Nullable(PersonReference),
  reason: Nullable({ ...Text, description: 'Why it is accepted.' }),
  resolved_at: Nullable(Timestamp),
  href: { ...Text, description: 'The page of the console that shows the subject.' },
  action: Nullable(
    Component(
      'FindingAction',
      { label: Text, operation: { ...Text, description: 'The name of the operation in /openapi.json.' } },
      { description: 'The way to resolve it. Null: it takes more than one operation.' },
    ),
  ),
});
export type FindingView = Static<typeof FindingView>;

export const FindingAcceptance = Component('FindingAcceptance', {
  until: { ...Instant, description: 'When the finding is open again: within a year from now.' },
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
});

export const FindingAssignment = Component('FindingAssignment', {
  user: Nullable({ ...Uuid, description: 'An active person, who sees the finding then. Null: nobody.' }),
});

export const FindingSummary = Component('FindingSummary', {
  days: Type.Array(
    Component('FindingDay', {
      day: { ...Text, description: 'A day in UTC.' },
      counts: MapOf(Type.Integer({ minimum: 0 }), {
        description:
          'The findings that were not resolved when the day ended, or now, by kind, without zeros.',
      }),
    }),
    { description: 'The oldest day first.' },
  ),
  open: Type.Array(
    Component('FindingKindCount', {
      kind: Type.Enum([...KIND_NAMES], { title: 'FindingKind' }),
      count: { ...Type.Integer({ minimum: 1 }), description: 'At most 1,000.' },
      more: { ...Type.Boolean(), description: 'Whether there are more.' },
    }),
    { description: 'The findings that are open now, without accepted ones, by kind.' },
  ),
});
export type FindingSummary = Static<typeof FindingSummary>;
