import { plural, t } from '@lingui/core/macro';
import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import type { Upload } from './upload.ts';
import classes from './uploads.module.css';

type Ownership = NonNullable<Upload['ownership']>;

/** Says to whom the accounts of an app belong after an upload, and what to do next. */
export function AccountsBelong({ appId, of }: { appId: string; of: Upload['ownership'] }) {
  if (of === null)
    return (
      <Text role="status" mb="md">
        <Loader size="xs" mr="xs" />
        {t`The sync is being published.`}
      </Text>
    );
  const { accounts, linked, linkable, leavers } = of;
  const rest = accounts - linked - linkable;
  return (
    <Stack gap="xs" mb="md" role="status">
      <Sentence
        action={
          linkable > 0 && (
            <ButtonLink to="/people/upload" size="xs">
              {t`Import people`}
            </ButtonLink>
          )
        }
      >
        {belonging(of)}
      </Sentence>
      {rest > 0 && (
        <Sentence
          action={
            <TextLink to="/accounts" search={{ app: appId, orphaned: true }}>
              {t`Link them by hand`}
            </TextLink>
          }
        >
          {plural(rest, {
            one: '# account has no email by which Gatehouse could find its person.',
            other: '# accounts have no email by which Gatehouse could find their people.',
          })}
        </Sentence>
      )}
      {leavers > 0 && <Left count={leavers} />}
    </Stack>
  );
}

function belonging({ accounts, linked, linkable }: Ownership): string {
  if (linked === accounts)
    return plural(accounts, {
      one: 'The only account belongs to somebody.',
      other: 'All # accounts belong to somebody.',
    });
  if (linkable === 0)
    return plural(accounts, {
      one: `${linked} of # account belongs to somebody.`,
      other: `${linked} of # accounts belong to somebody.`,
    });
  if (linked === 0)
    return plural(accounts, {
      one: `${linkable} of # account will belong to somebody when you import people with the same emails.`,
      other: `${linkable} of # accounts will belong to somebody when you import people with the same emails.`,
    });
  return plural(accounts, {
    one: `${linked} of # account belongs to somebody. ${linkable} more will when you import people with the same emails.`,
    other: `${linked} of # accounts belong to somebody. ${linkable} more will when you import people with the same emails.`,
  });
}

function Left({ count, more = false }: { count: number; more?: boolean }) {
  return (
    <Sentence
      action={
        <ButtonLink to="/people" search={{ tab: 'leavers' }} size="xs" color="red">
          {t`Remove their access`}
        </ButtonLink>
      }
    >
      {more
        ? plural(count, {
            one: 'More than # person has left and still has access.',
            other: 'More than # people have left and still have access.',
          })
        : plural(count, {
            one: '# person has left and still has access.',
            other: '# people have left and still have access.',
          })}
    </Sentence>
  );
}

/** Where counting stops. */
const MOST_COUNTED = 10_000;
const FEWEST = { limit: 1, count_to: MOST_COUNTED };

/** Says how many accounts belong to somebody after an import of people, and who of them has left. */
export function PeopleOwn() {
  // The lists count what is there now. The overview follows later.
  const all = useQuery(get('/api/accounts/', { query: { status: 'ACTIVE', ...FEWEST } })).data;
  const orphaned = useQuery(get('/api/accounts/', { query: { orphaned: true, ...FEWEST } })).data;
  const left = useQuery(get('/api/users/leavers/', { query: FEWEST })).data;
  if (all === undefined || orphaned === undefined || left === undefined || all.count === 0) return null;
  const { count: active, more = false } = all;
  const orphans = orphaned.count;
  const owned = active - orphans;
  return (
    <Stack gap="xs" mb="md" role="status">
      {!more && (
        <Sentence
          action={
            orphans > 0 && (
              <TextLink to="/accounts" search={{ orphaned: true }}>
                {plural(orphans, { one: 'Show the other one', other: 'Show the other #' })}
              </TextLink>
            )
          }
        >
          {orphans === 0
            ? plural(active, {
                one: 'The only active account belongs to somebody.',
                other: 'All # active accounts belong to somebody.',
              })
            : plural(active, {
                one: `${owned} of # active account belongs to somebody.`,
                other: `${owned} of # active accounts belong to somebody.`,
              })}
        </Sentence>
      )}
      {left.count > 0 && <Left count={left.count} more={left.more ?? false} />}
    </Stack>
  );
}

function Sentence({ children, action }: { children: string; action?: ReactNode }) {
  return (
    <div className={classes.sentence}>
      <span>{children}</span>
      {action}
    </div>
  );
}
