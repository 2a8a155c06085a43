import { type Static, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { AppReference } from '#inventory/apps/reference.ts';
import { Component, Nullable, SentenceFields, Timestamp, Uuid } from '#kit/schemas.ts';
import { END_KINDS } from '#reasons/grants/grant.ts';
import { CONFIRMATIONS } from '#work/provisioning/confirmation.ts';
import { AccountEmail, Action } from '#work/provisioning/task-schemas.ts';

const STEPS = ['decided', 'ordered', 'done', 'seen_gone'] as const;
const LINK_STATES = ['done', 'waiting', 'failed', 'not_needed'] as const;

const Text = Type.String();
const State = Type.Enum([...LINK_STATES], { title: 'ProofState' });
const Decision = Component('ProofDecision', {
  kind: Type.Enum([...END_KINDS]),
  external_uuid: Nullable(Uuid),
  label: Nullable(Text),
});

const Link = Component('ProofLink', {
  step: Type.Enum([...STEPS]),
  state: State,
  at: Nullable({ ...Timestamp, description: 'When it happened.' }),
  expected_at: Nullable({
    ...Timestamp,
    description:
      'For a link that waits: when the turn of the task comes, when it is due, or when the next sync usually begins. null: not known.',
  }),
  by: Nullable({
    ...PersonEmail,
    description: 'The person who decided, or who reported the task. null: a policy, a connector or a sync.',
  }),
  label: Text,
  ...SentenceFields,
  reason: Nullable({
    ...Text,
    description: 'Why it was decided, or why the task waits, failed or ended early.',
  }),
  reason_code: SentenceFields.code,
  reason_values: SentenceFields.values,
  href: Nullable({ ...Text, description: 'The page of the console that shows it.' }),
  event_ids: Type.Array(Uuid, {
    description: 'The events that recorded it, as long as the log keeps them. Empty for members.',
  }),
  decision: Nullable({ ...Decision, description: 'The decision. Members see its kind.' }),
  confirmation: Nullable(
    Type.Enum([...CONFIRMATIONS], { description: 'For a completed task, as in the task.' }),
  ),
  note: Nullable({ ...Text, description: 'The note of the person who reported the task.' }),
  files: Type.Array(
    Component('ProofFile', { external_uuid: Uuid, name: Text, size: Type.Integer(), sha256: Text }),
    { description: 'The files that the person attached, as long as they are kept.' },
  ),
});

const Thing = Component('ProofAccess', {
  resource: Nullable(
    Type.Object(
      { slug: Text, id: Text, name: Text },
      { description: 'The group or license. null: the account itself.' },
    ),
  ),
  seen_gone_at: Nullable({ ...Timestamp, description: 'When a sync first showed that it was gone.' }),
  sync_id: Nullable({ ...Uuid, description: 'That sync.' }),
  seen_again_at: Nullable({ ...Timestamp, description: 'When it was back, if it came back later.' }),
  restored_by: Nullable({
    ...Decision,
    description: 'The decision that gave it back. Members see its kind.',
  }),
});

export const Proof = Component('Proof', {
  state: {
    ...State,
    description:
      'done: a sync showed that the access was gone. failed: a link failed. not_needed: nothing was taken away.',
  } as typeof State,
  as_of: { ...Timestamp, description: 'When the proof was read.' },
  app: AppReference,
  account: AccountEmail,
  task: Nullable({ ...Uuid, description: 'The latest attempt at the task, or the deletion in its place.' }),
  action: Nullable(Action),
  access: Type.Array(Thing, { description: 'The access that is taken away.' }),
  links: Type.Array(Link, { description: 'decided, ordered, done and seen_gone, in this order.' }),
});

export type ProofView = Static<typeof Proof>;
export type ProofLink = Static<typeof Link>;
export type ProofAccess = Static<typeof Thing>;
export type ProofDecision = Static<typeof Decision>;
