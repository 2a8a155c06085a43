import { plural, t } from '@lingui/core/macro';
import { fieldWord } from './field-words.ts';
import { listed } from './listed.ts';
import { roleWord } from './roles.ts';
import { localTime } from './words.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** The parts of an event that its sentence uses. */
export interface EventLike {
  event_type: string;
  actor: { type: string; uuid: string | null };
  source: { type: string };
  payload: Payload;
}

/** Returns a person's name, if known. */
export type NameOf = (uuid: string) => string | undefined;

/** The parts of an event, in words. */
export interface Parts {
  /** The actor, as the subject of a sentence. */
  who: string;
  /** The type of the source. */
  source: string;
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
  payload: Payload;
  nameOf: NameOf;
}

export function partsOf({ actor, source, payload, ...event }: EventLike, nameOf: NameOf): Parts {
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
export const methodOf = ({ method }: Payload) =>
  typeof method === 'string' ? (METHODS[method] ?? method) : undefined;

/** Returns the first of the fields that is a nonempty text. */
export function text(payload: Payload, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = payload[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** Returns a reason, comment or message after a colon, without its final period. */
export function quoted(payload: Payload, ...names: string[]): string {
  const words = text(payload, ...names);
  return words === undefined ? '' : `: ${words.trim().replace(/\.$/, '')}`;
}

/** Returns a moment of the payload in local time. */
export const timeIn = (payload: Payload, name: string) => {
  const moment = text(payload, name);
  return moment === undefined ? undefined : localTime(new Date(moment));
};

export const number = (value: unknown) => (typeof value === 'number' ? value : 0);
export const record = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {};

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

function changesOf(payload: Payload, nameOf: NameOf): string {
  const changes = (Array.isArray(payload.changes) ? payload.changes : []).map(record);
  const described = changes.slice(0, 2).map((change) => {
    const field = fieldWord(String(change.field));
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
export function counts({ payload }: Parts): string {
  const all = record(payload.counts);
  const [created, updated, removed] = [number(all.created), number(all.updated), number(all.removed)];
  const parts = [
    created > 0 ? plural(created, { one: '# record created', other: '# records created' }) : '',
    updated > 0 ? plural(updated, { one: '# record updated', other: '# records updated' }) : '',
    removed > 0 ? plural(removed, { one: '# record removed', other: '# records removed' }) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? t`no changes` : listed(parts, 'unit');
}

/** The access that a review item is about. */
export const reviewed = ({ account, app, payload }: Parts) => {
  const entitlement = text(record(payload.resource), 'name');
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
export const connectorRun = ({ kind }: Payload) => RUNS[String(kind)] ?? t`a connector run`;

export const roleOf = (payload: Payload, field: 'from' | 'to') => {
  const role = text(payload, field);
  return role === undefined ? undefined : roleWord(role);
};
