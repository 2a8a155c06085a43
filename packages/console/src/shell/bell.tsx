import { plural, t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../api/client.ts';
import { useIsRead } from '../api/until-read.ts';
import { IconBell } from '../kit/icons/icons.ts';
import classes from './bell.module.css';

const EVERY_MS = 30_000;
const MOST = 99;

/** Leads to the inbox and shows how many notifications are unread. */
export function Bell() {
  const { data } = useQuery({
    ...get('/api/notifications/', { query: { unread: true, limit: 1 } }),
    refetchInterval: EVERY_MS,
    enabled: useIsRead(),
  });
  const unread = data?.unread ?? 0;
  return (
    <ActionIcon
      component={Link}
      to="/notifications"
      data-hint="bell"
      className={classes.bell ?? ''}
      aria-label={
        unread === 0
          ? t`Notifications`
          : t`Notifications, ${plural(unread, { one: '# unread', other: '# unread' })}`
      }
    >
      <IconBell size={18} aria-hidden />
      {unread > 0 && (
        <span className={classes.count} aria-hidden>
          {unread > MOST ? `${MOST}+` : unread}
        </span>
      )}
    </ActionIcon>
  );
}
