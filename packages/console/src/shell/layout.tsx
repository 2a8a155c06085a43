import { ActionIcon, Button, Kbd, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard, IconMenu2, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { meQuery, useMe } from '../api/me.ts';
import { useReachable } from '../api/reachable.ts';
import { useSessionEnded } from '../api/session.ts';
import { ConfirmationDialog } from '../parts/confirmation.tsx';
import { Failure } from '../parts/failure.tsx';
import { CountsAsUnsaved } from '../parts/unsaved.ts';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';
import { FIND_KEYS, useShortcuts } from './keys.ts';
import classes from './layout.module.css';
import { groups, pagesOf } from './navigation.ts';
import { preloadPages } from './page-files.ts';
import { SchemeSwitch } from './scheme-switch.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

const Spotlight = lazy(() => import('./spotlight.tsx').then(({ Spotlight: found }) => ({ default: found })));
const RequiredFactor = lazy(() =>
  import('../pages/settings/required-factor.tsx').then(({ RequiredFactor: page }) => ({ default: page })),
);
const SessionDialog = lazy(() =>
  import('./session-dialog.tsx').then(({ SessionDialog: dialog }) => ({ default: dialog })),
);
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp: help }) => ({ default: help })));

/** The frame of every page after sign-in: header, navigation and the notice that the server is unreachable. */
export function Layout() {
  const me = useQuery(meQuery);
  const [finding, find] = useDisclosure();
  const [helping, help] = useDisclosure();
  const [open, menu] = useDisclosure();
  const [isLimited, setLimited] = useState(false);
  if (me.data?.second_factor_required && !isLimited) setLimited(true);
  const sessionEnded = useSessionEnded();
  useShortcuts({ find: find.toggle, help: help.toggle });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening another page closes the menu in a narrow window.
  useEffect(menu.close, [path]);
  useEffect(preloadPages, []);

  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.header}>
        <ActionIcon
          className={classes.burger ?? ''}
          aria-label="Navigation"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={menu.toggle}
        >
          <IconMenu2 size={18} aria-hidden />
        </ActionIcon>
        <Link to="/" className={classes.name}>
          <img src="/gatehouse.svg" alt="" width="20" height="20" />
          <span>Gatehouse</span>
        </Link>
        <span className={classes.organization}>{me.data?.organization.name}</span>
        {!isLimited && (
          <Button
            variant="default"
            className={classes.find ?? ''}
            leftSection={<IconSearch size={15} aria-hidden />}
            rightSection={
              <Kbd size="xs" aria-hidden>
                {FIND_KEYS}
              </Kbd>
            }
            title="Search pages, people, accounts and apps"
            onClick={find.open}
          >
            <span className={classes.word}>Search</span>
          </Button>
        )}
        {me.data !== undefined && !isLimited && <Bell />}
        <Tooltip label="Keyboard shortcuts">
          <ActionIcon className={classes.wide ?? ''} aria-label="Keyboard shortcuts" onClick={help.open}>
            <IconKeyboard size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <SchemeSwitch />
        <AccountMenu />
      </header>
      <nav id="navigation" className={classes.navigation} aria-label="Pages" data-open={open || undefined}>
        {!isLimited && <Navigation />}
      </nav>
      <main id="content" className={classes.main} tabIndex={-1}>
        <ServerNotice />
        {me.isError ? (
          <Failure error={me.error} again={() => void me.refetch()} />
        ) : (
          me.data &&
          (isLimited ? (
            <Suspense>
              <RequiredFactor me={me.data} done={() => setLimited(false)} />
            </Suspense>
          ) : (
            <Outlet />
          ))
        )}
      </main>
      <UnsavedChanges />
      <Suspense>
        <CountsAsUnsaved value={false}>
          <ConfirmationDialog />
        </CountsAsUnsaved>
        {finding && !isLimited && <Spotlight close={find.close} />}
        {helping && <KeysHelp close={help.close} />}
        {sessionEnded && <SessionDialog />}
      </Suspense>
    </>
  );
}

function Navigation() {
  const { role } = useMe();
  if (role === undefined) return <Skeleton height={14} m="md" width={120} />;
  const shown = pagesOf(role);
  return groups.map((group) => {
    const own = shown.filter((page) => page.group === group);
    if (own.length === 0) return null;
    return (
      <div key={group} className={classes.group}>
        {group !== '' && <h2>{group}</h2>}
        <ul>
          {own.map(({ to, name, icon: Icon }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                <Icon size={17} stroke={1.6} aria-hidden />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** Shows that the server is unreachable. The page stays usable while a node restarts. */
function ServerNotice() {
  const reachable = useReachable();
  return (
    <div role="status" className={classes.notice}>
      {!reachable && <p className={classes.silent}>The server is not responding. Trying again.</p>}
    </div>
  );
}
