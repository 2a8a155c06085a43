import { plural, t } from '@lingui/core/macro';
import type { components } from '../api/schema.ts';
import { fieldWord } from '../kit/text/field-words.ts';
import { listed } from '../kit/text/listed.ts';
import { localTime } from '../kit/text/words.ts';
import { roleWord } from '../people/roles.ts';

type Payloads = components['schemas']['EventPayloads'];
export type EventType = keyof Payloads;

/** The payload of an event. A field may be missing from an event that an earlier release recorded. */
type Payload<T extends EventType> = { readonly [F in keyof Payloads[T]]-?: Payloads[T][F] | undefined };
type AnyPayload = Readonly<Record<string, unknown>>;

/** The parts of an event that its sentence uses. */
export interface EventLike {
  event_type: string;
  actor: { type: string; uuid: string | null };
  source: { type: string };
  payload: AnyPayload;
}

/** Returns a person's name, if known. */
export type NameOf = (uuid: string) => string | undefined;

/** The fields that the words of a sentence come from. */
interface Fields {
  app: 'app_name';
  account: 'display_name' | 'email' | 'username' | 'external_id';
  person: 'user_id' | 'name' | 'email' | 'username';
  /** "to suspend the account of ada@example.com in Payroll" */
  work: 'action';
  /** The payload's own name, and the label of its request. Empty if missing. */
  name: 'name';
  label: 'label';
  /** "department from Sales to Research, and 2 more" */
  changes: 'changes';
}

interface CommonParts {
  /** The actor, as the subject of a sentence. */
  who: string;
  /** The type of the source. */
  source: string;
  nameOf: NameOf;
}

/** The parts of an event of a type, in words: those for which its payload has a field. */
export type Parts<T extends EventType> = CommonParts & { payload: Payload<T> } & {
  [Word in keyof Fields as Fields[Word] & keyof Payloads[T] extends never ? never : Word]: string;
};

type AnyParts = CommonParts & { payload: AnyPayload } & Record<keyof Fields, string>;

export function partsOf({ actor, source, payload, ...event }: EventLike, nameOf: NameOf): AnyParts {
  const named = actor.uuid === null ? undefined : nameOf(actor.uuid);
  const isOwnSession = event.event_type.startsWith('session.') && actor.uuid === payload.user_id;
  const app = text(payload, 'app_name') ?? t`an app`;
  const account = text(payload, 'display_name', 'email', 'username', 'external_id') ?? t`an account`;
  return {
    who: named ?? (isOwnSession ? text(payload, 'name', 'email') : undefined) ?? actorWord(actor, source),
    source: source.type,
    app,
    account,
    person: personOf(payload.user_id, nameOf) ?? text(payload, 'name', 'email', 'username') ?? t`someone`,
    work: workOf(text(payload, 'action'), account, app),
    name: text(payload, 'name') ?? '',
    label: text(payload, 'label') ?? '',
    changes: changesOf(payload, nameOf),
    payload,
    nameOf,
  };
}

/** Adds to a sentence about access by which way the change was found or made. */
export function sourced(sentence: string, source: string): string {
  if (source === 'sync') return t`${sentence} (discovered by sync)`;
  if (source === 'task') return t`${sentence} (by a provisioning task)`;
  return sentence;
}

export const personOf = (id: unknown, nameOf: NameOf) => (typeof id === 'string' ? nameOf(id) : undefined);

/** The person who carries out a task. */
export const holder = (id: unknown, nameOf: NameOf) =>
  typeof id === 'string' ? (nameOf(id) ?? t`someone`) : t`nobody`;

function actorWord(actor: EventLike['actor'], source: EventLike['source']): string {
  if (actor.type === 'user') return t`Someone`;
  if (actor.type === 'platform_admin') return t`A platform administrator`;
  if (actor.type === 'service') return t`A service`;
  return source.type === 'sync' ? t`A sync` : GATEHOUSE;
}

export const GATEHOUSE = t`Gatehouse`;

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

/** The way of signing in: "a password". */
export const methodOf = ({ method }: { method: string | undefined }) =>
  method === undefined ? undefined : (METHODS[method] ?? method);

/** Returns the first of the fields that is a nonempty text. */
export function text<P extends object>(payload: P, ...names: (keyof P)[]): string | undefined {
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
export const timeIn = <P extends object>(payload: P, name: keyof P) => {
  const moment = text(payload, name);
  return moment === undefined ? undefined : localTime(new Date(moment));
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const readable = (value: string) => (INSTANT.test(value) ? localTime(new Date(value)) : value);

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
export function counts({ payload }: Parts<'app.sync.completed'>): string {
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
export const reviewed = ({
  account,
  app,
  payload,
}: Parts<'review.decided' | 'review.decision_withdrawn'>) => {
  const entitlement = payload.resource?.name;
  return entitlement === undefined
    ? t`the account of ${account} in ${app}`
    : t`${entitlement} of ${account} in ${app}`;
};

const RUNS: Record<string, string> = {
  sync: t`a sync`,
  tasks: t`a task batch`,
  test: t`a connector test`,
  preview: t`a connector preview`,
};
export const connectorRun = ({ kind }: { kind: string | undefined }) =>
  RUNS[String(kind)] ?? t`a connector run`;

export const roleOf = (role: string | null | undefined) => (role ? roleWord(role) : undefined);
