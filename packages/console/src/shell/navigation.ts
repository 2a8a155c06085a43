import {
  IconActivity,
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
  IconSettings,
  IconUserCircle,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { Role } from '../api/me.ts';

type Everyone = readonly Role[];
const everyone: Everyone = ['owner', 'admin', 'auditor', 'member'];
const readers: Everyone = ['owner', 'admin', 'auditor'];
const managers: Everyone = ['owner', 'admin'];

/** The pages in the navigation and in Cmd-K, with the roles that see them (protocol 16). */
const pages = [
  { to: '/', name: 'Overview', icon: IconGauge, roles: everyone, group: '' },
  { to: '/requests', name: 'Requests', icon: IconClipboardList, roles: everyone, group: 'Access' },
  { to: '/approvals', name: 'Approvals', icon: IconChecks, roles: everyone, group: 'Access' },
  { to: '/reviews', name: 'Access reviews', icon: IconListCheck, roles: everyone, group: 'Access' },
  { to: '/my-tasks', name: 'My tasks', icon: IconClipboardCheck, roles: everyone, group: 'Access' },
  { to: '/apps', name: 'Apps', icon: IconApps, roles: everyone, group: 'Inventory' },
  { to: '/accounts', name: 'Accounts', icon: IconUserShield, roles: readers, group: 'Inventory' },
  { to: '/people', name: 'People', icon: IconUsers, roles: readers, group: 'Inventory' },
  { to: '/groups', name: 'Groups', icon: IconUsersGroup, roles: readers, group: 'Inventory' },
  { to: '/tasks', name: 'Tasks', icon: IconActivity, roles: readers, group: 'Operations' },
  { to: '/policies', name: 'Policies', icon: IconGavel, roles: readers, group: 'Operations' },
  { to: '/events', name: 'Events', icon: IconLockAccess, roles: readers, group: 'Operations' },
  { to: '/settings/api-keys', name: 'API keys', icon: IconKey, roles: managers, group: 'Settings' },
  { to: '/settings/sign-in', name: 'Sign-in', icon: IconLockAccess, roles: managers, group: 'Settings' },
  { to: '/settings/webhooks', name: 'Webhooks', icon: IconWebhook, roles: readers, group: 'Settings' },
  {
    to: '/settings/notifications',
    name: 'Notifications',
    icon: IconBell,
    roles: everyone,
    group: 'Settings',
  },
  {
    to: '/settings/organization',
    name: 'Organization',
    icon: IconSettings,
    roles: managers,
    group: 'Settings',
  },
  { to: '/settings/profile', name: 'My profile', icon: IconUserCircle, roles: everyone, group: 'Settings' },
] as const satisfies readonly { to: string; name: string; icon: unknown; roles: Everyone; group: string }[];

export const groups = ['', 'Access', 'Inventory', 'Operations', 'Settings'] as const;

export const pagesOf = (role: Role | undefined) =>
  pages.filter(({ roles }) => role !== undefined && roles.includes(role));
