import { plural, t } from '@lingui/core/macro';
import '@mantine/core/styles/Switch.css';
import { Button, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, get, type Item, list, ok, useChange } from '../../api/client.ts';
import { linkTo, useAddress } from '../../kit/browser/address.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { withLocalTimes } from '../../kit/text/words.ts';
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
    column.cell('state', t`State`, ({ read_at }) =>
      read_at === null ? (
        <Status of="unread" look="wait" word={t`Unread`} />
      ) : (
        <Status of="read" look="idle" word={t`Read`} />
      ),
    ),
    column.cell('title', t`Notification`, { fill: true }, ({ id, title, body, path, read_at }) => (
      <div className={classes.message}>
        <Link
          {...linkTo(path)}
          className={classes.title}
          data-unread={read_at === null || undefined}
          onClick={() => read_at === null && read.mutate({ ids: [id] })}
        >
          <Name of={title} />
        </Link>
        {body !== '' && (
          <Text size="sm" c="dimmed" className={classes.body ?? ''}>
            {withLocalTimes(body)}
          </Text>
        )}
      </div>
    )),
    column.moment('created_at', t`Time`),
    column.cell(
      'actions',
      t`Actions`,
      ({ id, title, read_at }) =>
        read_at === null && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t`Mark as read: ${title}`}
            onClick={() => read.mutate({ ids: [id] })}
          >
            {t`Mark as read`}
          </Button>
        ),
    ),
  ];
  return (
    <ListPage
      title={t`Inbox`}
      about={
        unread === 0
          ? t`You have read all notifications.`
          : plural(unread, { one: '# unread notification', other: '# unread notifications' })
      }
      buttons={
        <>
          <ButtonLink to="/settings/notifications" variant="default">
            {t`Preferences`}
          </ButtonLink>
          <Button disabled={unread === 0} loading={read.isPending} onClick={() => read.mutate({ all: true })}>
            {t`Mark all as read`}
          </Button>
        </>
      }
      address={[at, go]}
      note={
        <Switch
          mb="sm"
          label={t`Unread only`}
          checked={at.unread === true}
          onChange={({ currentTarget }) => go({ unread: currentTarget.checked ? true : undefined })}
        />
      }
      label={t`Notifications`}
      counted={(n) => plural(n, { one: '# notification', other: '# notifications' })}
      list={list('/api/notifications/', { query: { unread: at.unread } })}
      columns={columns}
      every={EVERY_MS}
      empty={
        at.unread === true
          ? { title: t`No unread notifications` }
          : {
              title: t`No notifications yet`,
              text: t`Gatehouse tells you here when something waits for you.`,
            }
      }
    />
  );
}
