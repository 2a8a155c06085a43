import { t } from '@lingui/core/macro';
import { IconApps, IconBell, IconHistory, IconUsers } from '../kit/icons/icons.ts';
import { roleWord } from '../people/roles.ts';
import { type FindItem, type Found, itemOf } from './find-items.tsx';
import type { usePages } from './navigation.ts';

/** Other words for pages. */
const ALSO: Record<string, string> = {
  '/access': t`groups, licenses, entitlements`,
  '/queries': t`reports, search`,
  '/events': t`audit log, history`,
  '/tasks': t`provisioning`,
  '/settings/identity-provider': t`sign-in, single sign-on, SSO, SAML, OIDC, SCIM clients, Okta, Entra ID, Google, Keycloak`,
};

/** Tabs and lists for owners, administrators and auditors. */
const PLACES = [
  { to: '/people?tab=leavers', name: t`Leavers with access`, icon: IconUsers, group: t`People` },
  { to: '/people?tab=duplicates', name: t`Duplicates`, icon: IconUsers, group: t`People` },
  { to: '/people?tab=unlinked', name: t`Unlinked accounts`, icon: IconUsers, group: t`People` },
  { to: '/people?tab=insights', name: t`Insights`, icon: IconUsers, group: t`People` },
  ...Object.entries({
    owner: t`owners`,
    admin: t`admins, administrators`,
    auditor: t`auditors`,
    member: t`members`,
  }).map(([role, also]) => {
    const word = roleWord(role);
    return {
      to: `/people?role=${role}`,
      name: t`People with the role ${word}`,
      icon: IconUsers,
      group: '',
      also,
    };
  }),
  ...Object.entries({ channels: t`Email and channels`, deliveries: t`Delivery log` }).map(([tab, name]) => ({
    ...{ to: `/settings/notifications?tab=${tab}`, name, icon: IconBell, group: t`Notifications` },
  })),
];

interface Place {
  to: string;
  name: string;
  icon: FindItem['icon'];
  group: string;
  also?: string;
}

type Pages = ReturnType<typeof usePages>;

/** Returns the name of the page's area: that of its first page, unless it is that page. */
function areaOf({ to, area }: Pages[number], pages: Pages): string {
  if (area === 'settings') return t`Settings`;
  const first = pages.find((page) => page.area === area);
  return first === undefined || first.to === to ? '' : first.name;
}

/** Returns the pages with all words of the text. The name of a group counts for several words, or if it is the whole text. */
export function pagesWith(typed: string, pages: Pages, readsAll: boolean): FindItem[] {
  const lower = typed.toLowerCase();
  const words = lower.split(/\s+/);
  const has = ({ to, name, group, also = ALSO[to] ?? '' }: Place) => {
    const known = `${name} ${also} ${words.length > 1 ? group : ''}`.toLowerCase();
    return words.every((word) => known.includes(word)) || (lower !== '' && lower === group.toLowerCase());
  };
  const own = pages.map((page) => ({ ...page, group: areaOf(page, pages) }));
  const places: Place[] = readsAll && lower !== '' ? [...own, ...PLACES] : own;
  return places.filter(has).map(({ to, name, icon, group }) => ({
    id: to,
    name,
    about: lower === '' ? '' : group,
    kind: t`Page`,
    icon,
    to,
  }));
}

interface Tab {
  kind: Found['kind'];
  name: string;
  also?: string[];
  to: (id: string) => string;
}

const appTab = (tab: string) => (id: string) => `/apps/${id}?tab=${tab}`;

const TABS_FOR_ALL: Tab[] = [
  { kind: 'app', name: t`Groups`, to: appTab('groups') },
  { kind: 'app', name: t`Licenses`, to: appTab('licenses') },
];
const TABS: Tab[] = [
  ...TABS_FOR_ALL,
  { kind: 'app', name: t`Syncs`, also: [t`sync history`, t`sync`], to: appTab('syncs') },
  { kind: 'app', name: t`Accounts`, to: appTab('accounts') },
  { kind: 'app', name: t`Connection`, also: [t`connector`], to: appTab('connection') },
  { kind: 'app', name: t`Fulfillment`, to: appTab('fulfillment') },
  { kind: 'app', name: t`Settings`, to: appTab('settings') },
  { kind: 'person', name: t`Timeline`, also: [t`history`], to: (id) => `/people/${id}?tab=timeline` },
  { kind: 'resource', name: t`Timeline`, also: [t`history`], to: (id) => `/access/${id}?tab=timeline` },
];

const LINKING = /^(?:of|for|in|von|für) | (?:of|for|in|von|für)$/i;

/** Splits "sync history of Jira" into the tabs and the name. */
export function tabsIn(typed: string, readsAll: boolean): { tabs: Tab[]; rest: string } | undefined {
  const lower = typed.toLowerCase();
  const all = readsAll ? TABS : TABS_FOR_ALL;
  const wordsOf = ({ name, also = [] }: Tab) => [name, ...also].map((word) => word.toLowerCase());
  const isSaid = (word: string) => lower.startsWith(`${word} `) || lower.endsWith(` ${word}`);
  const [said] = all
    .flatMap(wordsOf)
    .filter(isSaid)
    .sort((one, other) => other.length - one.length);
  if (said === undefined) return undefined;
  const rest = lower.startsWith(`${said} `) ? typed.slice(said.length + 1) : typed.slice(0, -said.length - 1);
  return { tabs: all.filter((tab) => wordsOf(tab).includes(said)), rest: rest.trim().replace(LINKING, '') };
}

/** Returns the tabs of the found records. Archived apps have no page. */
export const tabsOf = (tabs: readonly Tab[], found: readonly Found[]): FindItem[] =>
  found.flatMap((one) =>
    tabs
      .filter(({ kind }) => kind === one.kind && one.status !== 'archived')
      .map(({ name: tab, to, kind }) => {
        const { name, external_uuid } = one;
        const icon = kind === 'app' ? IconApps : IconHistory;
        return {
          ...itemOf(one),
          picture: undefined,
          id: to(external_uuid),
          name: t`${tab} of ${name}`,
          kind: t`Tab`,
          icon,
          to: to(external_uuid),
        };
      }),
  );
