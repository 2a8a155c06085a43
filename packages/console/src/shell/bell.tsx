import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../api/client.ts';
import { counted } from '../parts/words.ts';
import classes from './bell.module.css';

const EVERY_MS = 30_000;
const MOST = 99;

/** Leads to the inbox and shows how many notifications are unread. */
export function Bell() {
  const { data } = useQuery({
    ...get('/api/notifications/', { query: { unread: true, limit: 1 } }),
    refetchInterval: EVERY_MS,
  });
  const unread = data?.unread ?? 0;
  return (
    <Tooltip label="Notifications">
      <ActionIcon
        component={Link}
        to="/notifications"
        className={classes.bell ?? ''}
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${counted(unread, 'unread', 'unread')}`}
      >
        <IconBell size={18} aria-hidden />
        {unread > 0 && (
          <span className={classes.count} aria-hidden>
            {unread > MOST ? `${MOST}+` : unread}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  );
}
