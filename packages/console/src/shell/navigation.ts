import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import type { Role } from '../api/me.ts';
import {
  IconActivity,
  IconAlertTriangle,
  IconApps,
  IconBell,
  IconChecks,
  IconClipboardCheck,
  IconClipboardList,
  IconGauge,
  IconGavel,
  IconKey,
  IconListCheck,
  IconLockAccess,
  IconPlayerPause,
  IconPlugConnected,
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

/** The pages in the navigation and in Cmd-K, with the roles that see them (protocol 16). */
const pages = [
  { to: '/', name: t`Overview`, icon: IconGauge, roles: everyone, group: '' },
  { to: '/requests', name: t`Requests`, icon: IconClipboardList, roles: everyone, group: t`Work` },
  { to: '/approvals', name: t`Approvals`, icon: IconChecks, roles: everyone, group: t`Work` },
  {
    to: '/team',
    name: t`My team`,
    icon: IconSitemap,
    roles: everyone,
    group: t`Work`,
  },
  { to: '/reviews', name: t`Access reviews`, icon: IconListCheck, roles: everyone, group: t`Work` },
  { to: '/my-tasks', name: t`My tasks`, icon: IconClipboardCheck, roles: everyone, group: t`Work` },
  { to: '/access', name: t`Access`, icon: IconKey, roles: readers, group: t`Inventory` },
  { to: '/apps', name: t`Apps`, icon: IconApps, roles: everyone, group: t`Inventory` },
  { to: '/accounts', name: t`Accounts`, icon: IconUserShield, roles: readers, group: t`Inventory` },
  { to: '/people', name: t`People`, icon: IconUsers, roles: readers, group: t`Inventory` },
  { to: '/groups', name: t`People groups`, icon: IconUsersGroup, roles: readers, group: t`Inventory` },
  { to: '/findings', name: t`Findings`, icon: IconAlertTriangle, roles: everyone, group: t`Operations` },
  { to: '/tasks', name: t`Tasks`, icon: IconActivity, roles: readers, group: t`Operations` },
  { to: '/holds', name: t`Holds`, icon: IconPlayerPause, roles: readers, group: t`Operations` },
  { to: '/policies', name: t`Policies`, icon: IconGavel, roles: readers, group: t`Operations` },
  { to: '/events', name: t`Events`, icon: IconLockAccess, roles: readers, group: t`Operations` },
  { to: '/settings/api-keys', name: t`API keys`, icon: IconKey, roles: managers, group: t`Settings` },
  { to: '/settings/sign-in', name: t`Sign-in`, icon: IconLockAccess, roles: managers, group: t`Settings` },
  {
    to: '/settings/scim-clients',
    name: t`SCIM clients`,
    icon: IconPlugConnected,
    roles: readers,
    group: t`Settings`,
  },
  { to: '/settings/webhooks', name: t`Webhooks`, icon: IconWebhook, roles: readers, group: t`Settings` },
  {
    to: '/settings/notifications',
    name: t`Notifications`,
    icon: IconBell,
    roles: everyone,
    group: t`Settings`,
  },
  {
    to: '/settings/organization',
    name: t`Organization`,
    icon: IconSettings,
    roles: managers,
    group: t`Settings`,
  },
  { to: '/settings/profile', name: t`My profile`, icon: IconUserCircle, roles: everyone, group: t`Settings` },
] as const satisfies readonly { to: string; name: string; icon: unknown; roles: Everyone; group: string }[];

export const groups = ['', t`Work`, t`Inventory`, t`Operations`, t`Settings`] as const;

type Reader = { role: Role; has_reports?: boolean } | undefined;

/** Returns the pages of a person: only managers have a team, and members have findings only if they see some. */
export function usePages(me: Reader) {
  const isMember = me?.role === 'member';
  const findings = get('/api/findings/', { query: { limit: 1 } });
  const { data } = useQuery({ ...findings, enabled: isMember, staleTime: 60_000 });
  const hasPage: Record<string, boolean> = {
    '/team': me?.has_reports === true,
    '/findings': !isMember || (data?.count ?? 0) > 0,
  };
  return pages.filter(
    ({ roles, to }) => me !== undefined && roles.includes(me.role) && hasPage[to] !== false,
  );
}
