import { plural, t } from '@lingui/core/macro';
import type { Role } from '../api/me.ts';
import { useWork, type Work } from '../api/work.ts';
import {
  IconActivity,
  IconAlertTriangle,
  IconApps,
  IconBell,
  IconChecks,
  IconClipboardList,
  IconGauge,
  IconGavel,
  IconKey,
  IconListCheck,
  IconLockAccess,
  IconPlayerPause,
  IconPlugConnected,
  IconSearch,
  IconSettings,
  IconSitemap,
  IconUserCircle,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '../kit/icons/icons.ts';

type Everyone = readonly Role[];
const everyone: Everyone = ['owner', 'admin', 'auditor', 'member'];
const readers: Everyone = ['owner', 'admin', 'auditor'];
const managers: Everyone = ['owner', 'admin'];
const deciders: Everyone = ['owner', 'admin', 'member'];

/** The pages in the navigation and in Cmd-K, with the roles that see them (protocol 16). The first of an area is its own page. */
const pages = [
  { to: '/', name: t`Work`, icon: IconGauge, roles: everyone, area: 'work' },
  { to: '/approvals', name: t`Approvals`, icon: IconChecks, roles: deciders, area: 'work' },
  { to: '/reviews', name: t`Access reviews`, icon: IconListCheck, roles: everyone, area: 'work' },
  { to: '/tasks', name: t`Tasks`, icon: IconActivity, roles: everyone, area: 'work' },
  { to: '/requests', name: t`Requests`, icon: IconClipboardList, roles: everyone, area: 'work' },
  { to: '/team', name: t`My team`, icon: IconSitemap, roles: everyone, area: 'work' },
  { to: '/access', name: t`Access`, icon: IconKey, roles: readers, area: 'access' },
  { to: '/accounts', name: t`Accounts`, icon: IconUserShield, roles: readers, area: 'access' },
  { to: '/queries', name: t`Queries`, icon: IconSearch, roles: readers, area: 'access' },
  { to: '/people', name: t`People`, icon: IconUsers, roles: readers, area: 'people' },
  { to: '/groups', name: t`People groups`, icon: IconUsersGroup, roles: readers, area: 'people' },
  { to: '/apps', name: t`Apps`, icon: IconApps, roles: everyone, area: 'apps' },
  { to: '/policies', name: t`Policies`, icon: IconGavel, roles: readers, area: 'policies' },
  { to: '/findings', name: t`Findings`, icon: IconAlertTriangle, roles: everyone, area: 'findings' },
  { to: '/holds', name: t`Holds`, icon: IconPlayerPause, roles: readers, area: 'findings' },
  { to: '/events', name: t`Events`, icon: IconLockAccess, roles: readers, area: 'events' },
  {
    to: '/settings/organization',
    name: t`Organization`,
    icon: IconSettings,
    roles: managers,
    area: 'settings',
  },
  {
    to: '/settings/identity-provider',
    name: t`Identity provider`,
    icon: IconPlugConnected,
    roles: readers,
    area: 'settings',
  },
  { to: '/settings/api-keys', name: t`API keys`, icon: IconKey, roles: managers, area: 'settings' },
  { to: '/settings/webhooks', name: t`Webhooks`, icon: IconWebhook, roles: readers, area: 'settings' },
  {
    to: '/settings/notifications',
    name: t`Notifications`,
    icon: IconBell,
    roles: everyone,
    area: 'settings',
  },
  {
    to: '/settings/profile',
    name: t`My profile`,
    icon: IconUserCircle,
    roles: everyone,
    area: 'settings',
  },
] as const satisfies readonly { to: string; name: string; icon: unknown; roles: Everyone; area: string }[];

/** How much waits on a page, also in words. */
interface Waiting {
  count: number;
  words: string;
  /** Whether some of it is overdue or severe. */
  isDangerous: boolean;
}

export interface Page extends Partial<Waiting> {
  to: (typeof pages)[number]['to'];
  name: string;
  icon: (typeof pages)[number]['icon'];
  area: (typeof pages)[number]['area'];
  search?: { whose: 'mine' };
}

type Reader = { role: Role; has_reports?: boolean } | undefined;

/** Returns the pages of a person. Pages without anything for them are left out: of members' work, and holds. */
export function usePages(me: Reader): Page[] {
  const work = useWork();
  if (me === undefined) return [];
  const isMember = me.role === 'member';
  const hasPage: Record<string, boolean> = {
    '/team': me.has_reports === true,
    '/approvals': !isMember || (work?.approvals.count ?? 0) > 0,
    '/reviews': !isMember || work?.reviews.any === true,
    '/tasks': !isMember || work?.tasks.any === true,
    '/findings': !isMember || (work?.findings.count ?? 0) > 0,
    '/holds': work?.holds.any === true,
  };
  return pages
    .filter(({ roles, to }) => roles.includes(me.role) && hasPage[to] !== false)
    .map(({ roles: _, ...page }) => ({
      ...page,
      ...(work && waitingAt(page.to, work)),
      ...(page.to === '/tasks' && (work?.tasks.count ?? 0) > 0 && { search: { whose: 'mine' } }),
    }));
}

const isPast = (at: string | null | undefined) => at != null && Date.parse(at) < Date.now();

function waitingAt(to: string, { approvals, reviews, tasks, findings, holds }: Work): Waiting | undefined {
  switch (to) {
    case '/approvals':
      return waiting(approvals.count);
    case '/reviews':
      return waiting(reviews.count, isPast(reviews.first?.due_at));
    case '/tasks':
      return waiting(tasks.count, tasks.first?.overdue);
    case '/findings':
      return findings.severe > 0 ? severe(findings.severe) : waiting(findings.count);
    case '/holds':
      return waiting(holds.count);
    default:
      return undefined;
  }
}

const waiting = (count: number, isDangerous = false): Waiting => ({
  count,
  isDangerous,
  words: plural(count, { one: '# waiting', other: '# waiting' }),
});

const severe = (count: number): Waiting => ({
  count,
  isDangerous: true,
  words: plural(count, { one: '# high or critical', other: '# high or critical' }),
});
