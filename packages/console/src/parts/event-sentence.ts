import { counted } from './words.ts';

type Payload = Readonly<Record<string, unknown>>;

/** What a sentence needs of an event of the API. */
export interface Told {
  event_type: string;
  actor: { type: string; uuid: string | null };
  source: { type: string };
  payload: Payload;
}

/** The name of a person, where it is known. */
export type NameOf = (uuid: string) => string | undefined;

/** An event's parts, in words. */
interface Parts {
  /** Who did it, at the beginning of a sentence. */
  who: string;
  /** What it came by, after a comma: a sync or a task. */
  by: string;
  app: string;
  account: string;
  person: string;
  /** "to suspend the account of ada@example.com in Payroll" */
  work: string;
  payload: Payload;
  nameOf: NameOf;
}

/** An event in a plain sentence; a type that is not known here is told by its name. */
export function eventSentence(event: Told, nameOf: NameOf = () => undefined): string {
  const tell = sentences[event.event_type];
  return tell === undefined ? event.event_type : `${tell(partsOf(event, nameOf))}.`;
}

function partsOf({ actor, source, payload, ...event }: Told, nameOf: NameOf): Parts {
  const named = actor.uuid === null ? undefined : nameOf(actor.uuid);
  const isOwnSession = event.event_type.startsWith('session.') && actor.uuid === payload.user_id;
  const app = text(payload, 'app_name') ?? 'an app';
  const account = text(payload, 'display_name', 'email', 'username', 'external_id') ?? 'an account';
  return {
    who: named ?? (isOwnSession ? text(payload, 'name', 'email') : undefined) ?? someone(actor, source),
    by: source.type === 'sync' ? ', as a sync found' : source.type === 'task' ? ', by a task' : '',
    app,
    account,
    person: known(payload.user_id, nameOf) ?? text(payload, 'name', 'email', 'username') ?? 'somebody',
    work: `to ${actionPhrase(text(payload, 'action') ?? '')} ${account} in ${app}`,
    payload,
    nameOf,
  };
}

const known = (id: unknown, nameOf: NameOf) => (typeof id === 'string' ? nameOf(id) : undefined);

function someone(actor: Told['actor'], source: Told['source']): string {
  if (actor.type === 'user') return 'Somebody';
  if (actor.type === 'platform_admin') return 'An administrator of the platform';
  if (actor.type === 'service') return 'A service';
  return source.type === 'sync' ? 'A sync' : 'Gatehouse';
}

const ACTIONS: Record<string, string> = {
  create_account: 'create an account for',
  update_account: 'change the access of',
  delete_account: 'delete the account of',
  suspend_account: 'suspend the account of',
  unsuspend_account: 'unsuspend the account of',
  reset_password: 'reset the password of',
};
const actionPhrase = (action: string) => ACTIONS[action] ?? 'do something to';

const METHODS: Record<string, string> = {
  password: 'a password',
  passkey: 'a passkey',
  totp: 'a code',
  backup_code: 'a backup code',
  oidc: 'single sign-on',
  saml: 'single sign-on',
  sso: 'single sign-on',
};

/** The first of the fields that is a text and says something. */
function text(payload: Payload, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = payload[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** A reason, a comment, a message: after a colon, without its own full stop. */
function because(payload: Payload, ...names: string[]): string {
  const said = text(payload, ...names);
  return said === undefined ? '' : `: ${said.trim().replace(/\.$/, '')}`;
}

const at = (payload: Payload, name: string, before: string) => {
  const moment = text(payload, name);
  return moment === undefined ? '' : ` ${before} ${moment.slice(0, 16).replace('T', ' ')} UTC`;
};

const number = (value: unknown) => (typeof value === 'number' ? value : 0);
const record = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {};

const field = (name: string) => name.replace(/^attributes\./, '').replaceAll('_', ' ');

function shown(value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'string') return nameOf(value) ?? value;
  return JSON.stringify(value);
}

/** "department from Sales to Research, and 2 more" */
function changed({ payload, nameOf }: Parts): string {
  const changes = (Array.isArray(payload.changes) ? payload.changes : []).map(record);
  const told = changes
    .slice(0, 2)
    .map(
      ({ field: name, from, to }) =>
        `${field(String(name))} from ${shown(from, nameOf)} to ${shown(to, nameOf)}`,
    );
  const rest = changes.length - told.length;
  return told.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

function counts({ payload }: Parts): string {
  const { created, updated, removed } = record(payload.counts);
  const told = (
    [
      ['created', created],
      ['updated', updated],
      ['removed', removed],
    ] as const
  ).flatMap(([word, value]) => (number(value) > 0 ? [`${counted(number(value), 'record')} ${word}`] : []));
  return told.length === 0 ? 'nothing changed' : told.join(', ');
}

const request = (payload: Payload) => `request ${text(payload, 'label') ?? ''}`.trim();
const group = (payload: Payload) =>
  `${payload.kind === 'license' ? 'the license' : 'the group'} ${text(payload, 'group_name', 'group_external_id') ?? ''}`.trim();
const override = (payload: Payload) => (payload.override === true ? ' over the head of its approvers' : '');
const by = (method: unknown) => (typeof method === 'string' ? ` with ${METHODS[method] ?? method}` : '');
const key = (payload: Payload) => `the API key ${text(payload, 'name') ?? ''}`.trim();
const signedIn = ({ payload: { method, second_factor } }: Parts) =>
  by(method) + (second_factor === true ? ' and a second factor' : '');

const sentences: Record<string, (parts: Parts) => string> = {
  'session.login.succeeded': (parts) => `${parts.person} signed in${signedIn(parts)}`,
  'session.login.failed': ({ payload }) =>
    `A sign-in as ${text(payload, 'identifier') ?? 'nobody in particular'}${by(payload.method)} failed${because(payload, 'reason')}`,
  'session.logout': ({ person }) => `${person} signed out`,
  'session.ip_blocked': ({ payload }) =>
    `The address ${text(payload, 'ip') ?? ''} was blocked${at(payload, 'blocked_until', 'until')} after ${counted(number(payload.failures), 'failed sign-in')}`,
  'session.expired': ({ person }) => `A session of ${person} expired`,
  'warp.login.attempted': ({ app, payload }) =>
    `The connector of ${app} tried to sign in to it${payload.method === 'browser' ? ' with a browser' : ''}`,
  'warp.login.failed': ({ app, payload }) =>
    `The connector of ${app} could not sign in to it${because(payload, 'message')}`,
  'api_key.created': ({ who, payload }) => `${who} created ${key(payload)}`,
  'api_key.revoked': ({ who, payload }) => `${who} revoked ${key(payload)}${because(payload, 'reason')}`,
  'api_key.used': ({ who, payload }) => `${who} used ${key(payload)}`,
  'account.provisioned': ({ account, app, by }) => `${account} was given an account in ${app}${by}`,
  'account.deprovisioned': ({ account, app, by, payload }) =>
    `The account of ${account} was removed from ${app}${by}${because(payload, 'reason')}`,
  'account.activated': ({ account, app, by }) => `The account of ${account} in ${app} became active${by}`,
  'account.suspended': ({ account, app, by, payload }) =>
    `The account of ${account} in ${app} was suspended${by}${because(payload, 'reason')}`,
  'account.unsuspended': ({ account, app, by, payload }) =>
    `The account of ${account} in ${app} was reactivated${by}${because(payload, 'reason')}`,
  'account.group.added': ({ account, app, by, payload }) =>
    `${account} was given ${group(payload)} in ${app}${by}${because(payload, 'reason')}`,
  'account.group.removed': ({ account, app, by, payload }) =>
    `${account} lost ${group(payload)} in ${app}${by}${because(payload, 'reason')}`,
  'ticket.created': ({ who, payload }) => `${who} made ${request(payload)}`,
  'ticket.approved': ({ who, payload }) =>
    `${who} approved ${request(payload)}${override(payload)}${because(payload, 'comment')}`,
  'ticket.denied': ({ who, payload }) =>
    `${who} denied ${request(payload)}${override(payload)}${because(payload, 'comment', 'reason')}`,
  'app.created': ({ who, app }) => `${who} added the app ${app}`,
  'app.connected': ({ app, payload }) => `${app} is connected${because(payload, 'reason')}`,
  'app.disconnected': ({ app, payload }) => `${app} is disconnected${because(payload, 'reason')}`,
  'app.sync.started': ({ app }) => `A sync of ${app} began`,
  'app.sync.completed': (parts) =>
    parts.payload.outcome === 'abandoned'
      ? `A sync of ${parts.app} was abandoned, and kept what it had: ${counts(parts)}`
      : `${parts.payload.baseline === true ? 'The first' : 'A'} sync of ${parts.app} completed: ${counts(parts)}`,
  'app.sync.failed': ({ app, payload }) => `A sync of ${app} failed${because(payload, 'message', 'reason')}`,
  'app.sync.paused': ({ app, payload }) => {
    const held = record(payload.held);
    return `A sync of ${app} waits for a decision: it would remove ${counted(number(held.accounts), 'account')} and ${counted(number(held.memberships), 'membership')}`;
  },
  'app.connection_request.created': ({ who, payload }) =>
    `${who} asked for the app ${text(payload, 'app_name') ?? ''}${because(payload, 'reason')}`,
  'task.created': ({ who, work, payload }) => `${who} made a task ${work}${because(payload, 'reason')}`,
  'task.dispatched': ({ work }) => `A connector took the task ${work}`,
  'task.completed': ({ work }) => `The task ${work} is done`,
  'task.failed': ({ work, payload }) =>
    `The task ${work} failed${because(record(payload.error), 'message', 'code')}${payload.will_retry === true ? ' (it will be tried again)' : ''}`,
  'task.retried': ({ work, payload }) =>
    `The task ${work} is tried again${at(payload, 'execute_after', 'from')}`,
  'task.preempted': ({ work }) => `The task ${work} was dropped for one that deletes the account`,
  'task.cancelled': ({ who, work, payload }) =>
    `${who} cancelled the task ${work}${because(payload, 'reason')}`,
  'task.dispatch_blocked': ({ work, payload }) => `The task ${work} has to wait${because(payload, 'reason')}`,
  'user.created': ({ who, person, payload }) =>
    `${who} added ${person}${payload.identity_type === 'service_account' ? ' as a service account' : ''}`,
  'user.updated': (parts) => `${parts.who} changed ${parts.person}: ${changed(parts)}`,
  'user.deactivated': ({ who, person, payload }) =>
    `${who} deactivated ${person}${because(payload, 'reason')}`,
  'user.reactivated': ({ who, person, payload }) =>
    `${who} reactivated ${person}${because(payload, 'reason')}`,
  'user.deleted': ({ who, person, payload }) => `${who} deleted ${person}${because(payload, 'reason')}`,
  'user.identity_type.changed': ({ who, person, payload }) =>
    `${who} changed ${person} from ${field(text(payload, 'from') ?? 'one kind')} to ${field(text(payload, 'to') ?? 'another')}`,
};
