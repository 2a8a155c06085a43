import { t } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import type { Answer } from '../api/client.ts';
import type { Role } from '../api/me.ts';
import {
  IconApps,
  IconArrowRight,
  IconClipboardList,
  IconGavel,
  IconHistory,
  IconKey,
  IconListCheck,
  IconUser,
  IconUserShield,
  IconUsersGroup,
} from '../kit/icons/icons.ts';

export type Found = Answer<'/api/find/'>['results'][number];
type Kind = Found['kind'];
type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;

/** An entry of the search. It leads to an address, continues the text, or runs a command of the frame. */
export interface FindItem {
  id: string;
  name: string;
  about?: string;
  /** The kind of thing, which screen readers announce after the name. */
  kind: string;
  icon: Icon;
  /** Replaces the icon by the person's initials or the app's logo. */
  picture?: 'person' | 'app' | undefined;
  /** A status that is not the usual one. */
  state?: string | undefined;
  /** Whether the search found it, so that it can change while the search runs. */
  isFound?: boolean;
  to?: string;
  type?: string;
  command?: Command;
}

export type Command = 'scheme' | 'sign-out' | 'keys';

export interface FindGroup {
  title: string;
  items: FindItem[];
}

interface KindLook {
  one: string;
  many: string;
  icon: Icon;
  address: (id: string, status: string | null) => string;
}

const KINDS: Record<Kind, KindLook> = {
  person: { one: t`Person`, many: t`People`, icon: IconUser, address: (id) => `/people/${id}` },
  account: { one: t`Account`, many: t`Accounts`, icon: IconUserShield, address: (id) => `/accounts/${id}` },
  app: {
    one: t`App`,
    many: t`Apps`,
    icon: IconApps,
    // An archived app has no page, but a history.
    address: (id, status) => (status === 'archived' ? `/events?subject=${id}` : `/apps/${id}`),
  },
  resource: {
    one: t`Group or license`,
    many: t`Groups and licenses`,
    icon: IconKey,
    address: (id) => `/access/${id}`,
  },
  group: {
    one: t`People group`,
    many: t`People groups`,
    icon: IconUsersGroup,
    address: (id) => `/groups/${id}`,
  },
  request: {
    one: t`Request`,
    many: t`Requests`,
    icon: IconClipboardList,
    address: (id) => `/requests/${id}`,
  },
  policy: { one: t`Policy`, many: t`Policies`, icon: IconGavel, address: (id) => `/policies/${id}` },
  campaign: {
    one: t`Access review`,
    many: t`Access reviews`,
    icon: IconListCheck,
    address: (id) => `/reviews/${id}`,
  },
};

const stateOf = ({ kind, status, about, leaver }: Found) => {
  if (kind === 'request') return about;
  if (leaver) return 'leaver';
  return status === null || status.toLowerCase() === 'active' ? undefined : status;
};

export const itemOf = (found: Found): FindItem => {
  const { kind, external_uuid, name, about, status } = found;
  const look = KINDS[kind];
  return {
    id: external_uuid,
    name,
    about: kind === 'request' || about === name ? '' : about,
    state: stateOf(found),
    isFound: true,
    kind: look.one,
    icon: look.icon,
    ...((kind === 'person' || kind === 'app') && { picture: kind }),
    to: look.address(external_uuid, status),
  };
};

/** Groups found records by kind, in the order in which the server lists the kinds. */
export const groupsOf = (found: readonly Found[]): FindGroup[] =>
  [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, all]) => ({
    title: KINDS[kind].many,
    items: all.map(itemOf),
  }));

/** An action on a record whose name follows the verb. The address opens the dialog that asks. */
interface Verb {
  word: string;
  hint: string;
  fits: (found: Found) => boolean;
  named: (name: string) => string;
  to: (id: string) => string;
  members?: boolean;
}

const hasStatus = (kind: Kind, status: string) => (found: Found) =>
  found.kind === kind && found.status === status;

const VERBS: readonly Verb[] = [
  {
    word: t`Offboard`,
    hint: t`Type the name of a person`,
    fits: hasStatus('person', 'active'),
    named: (name) => t`Offboard ${name}`,
    to: (id) => `/people/${id}?ask=offboard`,
  },
  {
    word: t`Deactivate`,
    hint: t`Type the name of a person`,
    fits: hasStatus('person', 'active'),
    named: (name) => t`Deactivate ${name}`,
    to: (id) => `/people/${id}?ask=deactivate`,
  },
  {
    word: t`Reactivate`,
    hint: t`Type the name of a person`,
    fits: hasStatus('person', 'deactivated'),
    named: (name) => t`Reactivate ${name}`,
    to: (id) => `/people/${id}?ask=reactivate`,
  },
  {
    word: t`Suspend`,
    hint: t`Type the name of an account`,
    fits: hasStatus('account', 'ACTIVE'),
    named: (name) => t`Suspend ${name}`,
    to: (id) => `/accounts/${id}?ask=suspend`,
  },
  {
    word: t`Unsuspend`,
    hint: t`Type the name of an account`,
    fits: hasStatus('account', 'SUSPENDED'),
    named: (name) => t`Unsuspend ${name}`,
    to: (id) => `/accounts/${id}?ask=unsuspend`,
  },
  {
    word: t`Start review`,
    hint: t`Type the name of an access review`,
    fits: ({ kind }) => kind === 'campaign',
    named: (name) => t`Start review ${name}`,
    to: (id) => `/reviews/${id}?dialog=start`,
  },
  {
    word: t`Request access to`,
    hint: t`Type the name of an app`,
    fits: ({ kind, status }) => kind === 'app' && status !== 'archived',
    named: (name) => t`Request access to ${name}`,
    to: (id) => `/requests/new?app=${id}`,
    members: true,
  },
];

const verbsOf = (role: Role | undefined) =>
  VERBS.filter(({ members }) => role === 'owner' || role === 'admin' || (members && role === 'member'));

/** Splits "Deactivate ada" into the verb and the name. */
export function verbIn(typed: string, role: Role | undefined): { verb: Verb; rest: string } | undefined {
  const lower = typed.toLowerCase();
  const verb = verbsOf(role).find(({ word }) => lower.startsWith(`${word.toLowerCase()} `));
  return verb && { verb, rest: typed.slice(verb.word.length).trim() };
}

export const actionsOn = (verb: Verb, found: readonly Found[]): FindGroup => ({
  title: t`Actions`,
  items: found.filter(verb.fits).map((one) => ({
    id: `${verb.word} ${one.external_uuid}`,
    name: verb.named(one.name),
    about: one.about,
    isFound: true,
    kind: t`Action`,
    icon: IconArrowRight,
    to: verb.to(one.external_uuid),
  })),
});

interface Action {
  name: string;
  to?: string;
  command?: Command;
  roles: readonly Role[];
}

const all: readonly Role[] = ['owner', 'admin', 'auditor', 'member'];
const managers: readonly Role[] = ['owner', 'admin'];

const actions = (dark: boolean): Action[] => [
  { name: t`Request access`, to: '/requests/new', roles: ['owner', 'admin', 'member'] },
  { name: t`Add app`, to: '/apps/new', roles: managers },
  { name: t`Add person`, to: '/people?new=person', roles: managers },
  { name: t`Import people`, to: '/people/upload', roles: managers },
  { name: t`Create campaign`, to: '/reviews/new', roles: managers },
  { name: t`Create policy`, to: '/policies/new', roles: managers },
  { name: t`Create task`, to: '/tasks?new=task', roles: managers },
  { name: t`Create API key`, to: '/settings/api-keys?new=true', roles: managers },
  { name: dark ? t`Use light theme` : t`Use dark theme`, command: 'scheme', roles: all },
  { name: t`Show keyboard shortcuts`, command: 'keys', roles: all },
  { name: t`Sign out`, command: 'sign-out', roles: all },
];

/** The actions whose names contain all words of the text. */
export function actionsWith(typed: string, role: Role | undefined, dark: boolean): FindGroup {
  const lower = typed.toLowerCase();
  const words = lower.split(/\s+/);
  const matches = ({ name }: { name: string }) => words.every((word) => name.toLowerCase().includes(word));
  const verbs = verbsOf(role).filter(({ word }) => lower !== '' && word.toLowerCase().startsWith(lower));
  return {
    title: t`Actions`,
    items: [
      ...verbs.map(({ word, hint }) => ({
        id: word,
        name: `${word}…`,
        about: hint,
        kind: t`Action`,
        icon: IconArrowRight,
        type: `${word} `,
      })),
      ...actions(dark)
        .filter(({ roles, ...action }) => role !== undefined && roles.includes(role) && matches(action))
        .map(({ roles: _, ...action }) => ({
          ...action,
          id: action.name,
          kind: t`Action`,
          icon: IconArrowRight,
        })),
    ],
  };
}

/** Recent entries get the icon of the history, because functions cannot be stored. */
export const recentGroup = (recent: readonly Omit<FindItem, 'icon'>[]): FindGroup => ({
  title: t`Recent`,
  items: recent.map((item) => ({ ...item, icon: IconHistory })),
});
