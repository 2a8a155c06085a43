import '@mantine/core/styles/Switch.css';
import { Button, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, get, type Item, list, ok, useChange } from '../../api/client.ts';
import { linkTo, useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted } from '../../parts/words.ts';
import classes from './notifications.module.css';
import { inboxSearch } from './search.ts';

type Notification = Item<'/api/notifications/'>;

const EVERY_MS = 30_000;

/** The notifications of the signed-in person. */
export function InboxPage() {
  const [at, go] = useAddress(inboxSearch);
  const { data } = useQuery(get('/api/notifications/', { query: { unread: true, limit: 1 } }));
  const unread = data?.unread ?? 0;
  const read = useChange((body: { ids: string[] } | { all: true }) =>
    ok(api.POST('/api/notifications/read/', { body })),
  );
  const columns: Column<Notification>[] = [
    {
      id: 'state',
      header: 'State',
      cell: ({ read_at }) =>
        read_at === null ? (
          <Status of="unread" look="wait" word="Unread" />
        ) : (
          <Status of="read" look="idle" word="Read" />
        ),
    },
    {
      id: 'title',
      header: 'Notification',
      cell: ({ id, title, body, path, read_at }) => (
        <div className={classes.message}>
          <Link
            {...linkTo(path)}
            className={classes.title}
            data-unread={read_at === null || undefined}
            onClick={() => read_at === null && read.mutate({ ids: [id] })}
          >
            {title}
          </Link>
          {body !== '' && (
            <Text size="sm" c="dimmed" className={classes.body ?? ''}>
              {body}
            </Text>
          )}
        </div>
      ),
    },
    { id: 'created_at', header: 'Time', cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      id: 'actions',
      header: 'Actions',
      cell: ({ id, title, read_at }) =>
        read_at === null && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={`Mark as read: ${title}`}
            onClick={() => read.mutate({ ids: [id] })}
          >
            Mark as read
          </Button>
        ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Inbox"
        about={unread === 0 ? 'You have read all notifications.' : counted(unread, 'unread notification')}
        actions={
          <>
            <ButtonLink to="/settings/notifications" variant="default">
              Preferences
            </ButtonLink>
            <Button
              disabled={unread === 0}
              loading={read.isPending}
              onClick={() => read.mutate({ all: true })}
            >
              Mark all as read
            </Button>
          </>
        }
      />
      <Switch
        mb="sm"
        label="Unread only"
        checked={at.unread === true}
        onChange={({ currentTarget }) => go({ unread: currentTarget.checked ? true : undefined })}
      />
      <DataTable
        label="Notifications"
        noun="notification"
        list={list('/api/notifications/', { query: { unread: at.unread } })}
        columns={columns}
        rowId={({ id }) => id}
        page={at.page}
        onPage={(page) => go({ page })}
        every={EVERY_MS}
        empty={
          at.unread === true ? (
            <Empty title="No unread notifications" />
          ) : (
            <Empty title="No notifications yet">Gatehouse tells you here when something waits for you.</Empty>
          )
        }
      />
    </>
  );
}
