import { plural, t } from '@lingui/core/macro';
import type { components } from '../api/schema.ts';
import { fieldWord, spaced } from '../kit/text/field-words.ts';
import { listed } from '../kit/text/listed.ts';
import { localTime } from '../kit/text/words.ts';
import { roleWord } from '../people/roles.ts';

type Payloads = components['schemas']['EventPayloads'];
type EventType = keyof Payloads;

/** The payload of an event. A field may be missing from an event that an earlier release recorded. */
type Payload<T extends EventType> = { readonly [F in keyof Payloads[T]]-?: Payloads[T][F] | undefined };
export type AnyPayload = Readonly<Record<string, unknown>>;

/** The parts of an event that its sentence uses. */
export interface EventLike {
  event_type: string;
  actor: { type: string; uuid: string | null };
  source: { type: string };
  payload: AnyPayload;
}

/** Returns a person's name, if known. */
export type NameOf = (uuid: string) => string | undefined;

/** The value of a placeholder: words, or the number of a plural. */
export type Part = string | number;

interface Words {
  /** The actor, as the subject of a sentence. */
  who: string;
  app: string;
  account: string;
  person: string;
  /** "to suspend the account of ada@example.com in Payroll" */
  work: string;
  /** The payload's own name, and the label of its request. Empty if missing. */
  name: string;
  label: string;
  /** "department from Sales to Research, and 2 more" */
  changes: string;
  /** The way of signing in: "a password" */
  way: string;
}

type Parts = Readonly<Record<string, Part>> & { quote?: string };

/** Returns what the placeholders of an event's sentence mean, except for those that are fields of the payload. */
export function partsOf(event: EventLike, people: readonly string[], nameOf: NameOf): Parts {
  const { actor, source, payload } = event;
  const named = actor.uuid === null ? undefined : nameOf(actor.uuid);
  const isOwnSession = event.event_type.startsWith('session.') && actor.uuid === payload.user_id;
  const app = text(payload, 'app_name') ?? t`an app`;
  const account = text(payload, 'display_name', 'email', 'username', 'external_id') ?? t`an account`;
  const words: Words = {
    who: named ?? (isOwnSession ? text(payload, 'name', 'email') : undefined) ?? actorWord(actor, source),
    app,
    account,
    person: personOf(payload.user_id, nameOf) ?? text(payload, 'name', 'email', 'username') ?? t`someone`,
    work: workOf(text(payload, 'action'), account, app),
    name: text(payload, 'name') ?? '',
    label: text(payload, 'label') ?? '',
    changes: changesOf(payload, nameOf),
    way: wayOf(payload.method),
  };
  const others = people.map((field) => [field, personOf(payload[field], nameOf) ?? t`a person`]);
  const own = OWN[event.event_type as EventType] as ((given: Given<never>) => Parts) | undefined;
  return {
    ...words,
    ...Object.fromEntries(others),
    ...own?.({ ...words, payload: payload as never, nameOf }),
  };
}

interface Given<P> extends Words {
  payload: P;
  nameOf: NameOf;
}

const group = ({ payload }: Given<Payload<'account.group.added' | 'account.group.removed'>>) => ({
  group_name: text(payload, 'group_name', 'group_external_id') ?? '',
});
const held = ({ payload }: Given<Payload<'app.sync.paused' | 'removal_guard.approved'>>) => ({
  accounts: payload.held?.accounts ?? 0,
  memberships: payload.held?.memberships ?? 0,
});
const other = ({ payload }: Given<Payload<'person.duplicate_dismissed'>>) => ({
  other_email: text(payload, 'other_email') ?? t`another person`,
});
const run = ({ payload }: Given<Payload<'connector.run_requested'>>) => ({ run: connectorRun(payload) });

/** The words that only events of one type have, or say in another way. */
const OWN: { readonly [T in EventType]?: (given: Given<Payload<T>>) => Parts } = {
  'session.login.failed': ({ payload }) => ({
    identifier: text(payload, 'identifier') ?? t`an unknown person`,
  }),
  'account.group.added': group,
  'account.group.removed': group,
  'app.sync.completed': ({ payload }) => ({ changes: counts(payload) }),
  'app.sync.failed': ({ payload, nameOf }) => {
    const { reason } = payload;
    if (payload.rejected_by !== undefined)
      return {
        ended: 'rejected',
        rejected_by: personOf(payload.rejected_by, nameOf) ?? t`an administrator`,
        quote: '',
      };
    return reason === 'discarded' || reason === 'superseded'
      ? { ended: reason, quote: '' }
      : { ended: 'other' };
  },
  'app.sync.paused': (given) => ({ ...held(given), because: given.payload.held?.reason ?? 'other' }),
  'app.sync.superseded': ({ payload }) => ({
    discarded: clientOf(payload.client),
    newer: clientOf(payload.superseded_by_client),
  }),
  'task.failed': ({ payload }) => ({ quote: payload.error ? quoted(payload.error, 'message', 'code') : '' }),
  'user.identity_type.changed': ({ payload }) => ({
    from: spaced(text(payload, 'from') ?? t`one type`),
    to: spaced(text(payload, 'to') ?? t`another`),
  }),
  'review.decided': (given) => ({ access: reviewed(given) }),
  'review.decision_withdrawn': (given) => ({ access: reviewed(given) }),
  'review.reminded': ({ payload }) => ({ email: text(payload, 'email') ?? t`a reviewer` }),
  'account_correlation.changed': ({ payload }) => ({ to: payload.to ?? '…' }),
  'removal_guard.approved': held,
  'removal_guard.rejected': held,
  'restore.created': ({ payload }) => ({ as_of: timeIn(payload, 'as_of') ?? t`an earlier time` }),
  'fulfillment.assigned': ({ payload, nameOf }) => ({ assignee_id: holder(payload.assignee_id, nameOf) }),
  'fulfillment.reassigned': ({ payload, nameOf }) => ({ to: holder(payload.to, nameOf) }),
  'fulfillment.attachment_added': ({ payload }) => ({ name: text(payload, 'name') ?? t`a file` }),
  'absence.created': ({ payload, nameOf }) => {
    const deputy = personOf(payload.deputy_id, nameOf);
    return { has_deputy: deputy === undefined ? 'no' : 'yes', deputy: deputy ?? '' };
  },
  'connector.run_requested': run,
  'connector.run_cancelled': run,
  'person.succeeded': ({ payload, nameOf }) => ({ successor_id: holder(payload.successor_id, nameOf) }),
  'person_group.role_set': ({ payload }) => ({ to: roleOf(payload.to) ?? t`none` }),
  'role.changed': ({ payload }) => ({
    from: roleOf(payload.from) ?? t`one role`,
    to: roleOf(payload.to) ?? t`another`,
  }),
  'people.change_held': ({ payload }) => {
    const by = payload.client?.type === 'import' ? 'import' : 'key';
    return {
      by: payload.group ? 'group' : by,
      client: payload.client?.name ?? '',
      group: payload.group?.name ?? '',
    };
  },
  'person.merged': ({ payload }) => ({ from_email: text(payload, 'from_email') ?? t`a person` }),
  'person.duplicate_dismissed': other,
  'person.duplicate_restored': other,
  'key.transferred': ({ payload, nameOf }) => ({ to: personOf(payload.to, nameOf) ?? t`another person` }),
  'export.created': ({ payload }) => ({
    what: spaced(text(payload, 'what') ?? t`data`),
    format: text(payload, 'format')?.toUpperCase() ?? t`a file`,
  }),
  'privileged_call.refused': ({ who }) => ({ caller: who === GATEHOUSE ? t`A caller` : who }),
};

/** Returns who started a sync. */
function clientOf(client: { type: string | null; name: string | null } | undefined): string {
  if (client?.type === 'connector') return t`the managed connector`;
  const name = client?.name ?? t`an unknown client`;
  return client?.type === 'person' ? t`${name} (upload)` : name;
}

const personOf = (id: unknown, nameOf: NameOf) => (typeof id === 'string' ? nameOf(id) : undefined);

/** The person who carries out a task. */
const holder = (id: unknown, nameOf: NameOf) =>
  typeof id === 'string' ? (nameOf(id) ?? t`someone`) : t`nobody`;

function actorWord(actor: EventLike['actor'], source: EventLike['source']): string {
  if (actor.type === 'user') return t`Someone`;
  if (actor.type === 'platform_admin') return t`A platform administrator`;
  if (actor.type === 'service') return t`A service`;
  return source.type === 'sync' ? t`A sync` : GATEHOUSE;
}

const GATEHOUSE = t`Gatehouse`;

function workOf(action: string | undefined, account: string, app: string): string {
  switch (action) {
    case 'create_account':
      return t`to create an account for ${account} in ${app}`;
    case 'update_account':
      return t`to change the access of ${account} in ${app}`;
    case 'delete_account':
      return t`to delete the account of ${account} in ${app}`;
    case 'suspend_account':
      return t`to suspend the account of ${account} in ${app}`;
    case 'unsuspend_account':
      return t`to unsuspend the account of ${account} in ${app}`;
    case 'reset_password':
      return t`to reset the password of ${account} in ${app}`;
    default:
      return t`to act on ${account} in ${app}`;
  }
}

const METHODS: Record<string, string> = {
  password: t`a password`,
  passkey: t`a passkey`,
  totp: t`a code`,
  backup_code: t`a backup code`,
  oidc: t`single sign-on`,
  saml: t`single sign-on`,
  sso: t`single sign-on`,
};

const wayOf = (method: unknown) => (typeof method === 'string' ? (METHODS[method] ?? method) : '');

/** Returns the first of the fields that is a nonempty text. */
function text<P extends object>(payload: P, ...names: (keyof P)[]): string | undefined {
  for (const name of names) {
    const value = payload[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** Returns a reason, comment or message after a colon, without its final period. */
export function quoted<P extends object>(payload: P, ...names: (keyof P)[]): string {
  const words = text(payload, ...names);
  return words === undefined ? '' : `: ${words.trim().replace(/\.$/, '')}`;
}

/** Returns a moment of the payload in local time. */
const timeIn = <P extends object>(payload: P, name: keyof P) => {
  const moment = text(payload, name);
  return moment === undefined ? undefined : localTime(new Date(moment));
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
export const readable = (value: string) => (INSTANT.test(value) ? localTime(new Date(value)) : value);

function shown(value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return t`nothing`;
  if (typeof value === 'string') return nameOf(value) ?? (UUID.test(value) ? t`someone` : readable(value));
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  return JSON.stringify(value);
}

const isCompound = (value: unknown) => typeof value === 'object' && value !== null;

interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

function changesOf(payload: AnyPayload, nameOf: NameOf): string {
  const changes = (payload.changes ?? []) as Change[];
  const described = changes.slice(0, 2).map((change) => {
    const field = fieldWord(change.field);
    // The event itself shows lists and objects; a sentence would have to quote them as JSON.
    if (isCompound(change.from) || isCompound(change.to)) return field;
    // Secrets and other values that events leave out.
    if (change.from === null && change.to === null) return field;
    const [from, to] = [shown(change.from, nameOf), shown(change.to, nameOf)];
    return t`${field} from ${from} to ${to}`;
  });
  const rest = changes.length - described.length;
  const list = listed(described, 'unit');
  return rest > 0 ? t`${list}, and ${rest} more` : list;
}

/** "1,204 records created, 1 record removed" */
function counts(payload: Payload<'app.sync.completed'>): string {
  const { created = 0, updated = 0, removed = 0 } = payload.counts ?? {};
  const { records = 0, members = 0 } = payload.unseen_counts ?? {};
  const unseen = records + members;
  const parts = [
    created > 0 ? plural(created, { one: '# record created', other: '# records created' }) : '',
    updated > 0 ? plural(updated, { one: '# record updated', other: '# records updated' }) : '',
    removed > 0 ? plural(removed, { one: '# record removed', other: '# records removed' }) : '',
    unseen > 0 ? plural(unseen, { one: '# hidden', other: '# hidden' }) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? t`no changes` : listed(parts, 'unit');
}

/** The access that a review item is about. */
function reviewed({ account, app, payload }: Given<Payload<'review.decided' | 'review.decision_withdrawn'>>) {
  const entitlement = payload.resource?.name;
  return entitlement === undefined
    ? t`the account of ${account} in ${app}`
    : t`${entitlement} of ${account} in ${app}`;
}

const RUNS: Record<string, string> = {
  sync: t`a sync`,
  tasks: t`a task batch`,
  test: t`a connector test`,
  preview: t`a connector preview`,
};
const connectorRun = ({ kind }: { kind: string | undefined }) => RUNS[String(kind)] ?? t`a connector run`;

const roleOf = (role: string | null | undefined) => (role ? roleWord(role) : undefined);
