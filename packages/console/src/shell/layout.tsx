import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Kbd, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Me, meQuery } from '../api/me.ts';
import { useReachable } from '../api/reachable.ts';
import { endFactorSetUp, useSessionLoss } from '../api/session.ts';
import { Failure } from '../kit/controls/failure.tsx';
import { lazyPart, preload } from '../kit/controls/lazy-part.tsx';
import { ConflictDialog } from '../kit/form/conflict.tsx';
import { CountsAsUnsaved, useHasUnsaved } from '../kit/form/unsaved.ts';
import { IconKeyboard, IconMenu2, IconMoon, IconSearch, IconSun } from '../kit/icons/icons.ts';
import { Name } from '../kit/text/name.tsx';
import { ConfirmationDialog } from '../sign-in/confirmation.tsx';
import { AccountButton } from './account-button.tsx';
import { Areas } from './areas.tsx';
import { Bell } from './bell.tsx';
import { useFocusReturn } from './focus-return.ts';
import { FIND_KEYS, useShortcuts } from './keys.ts';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import { Notices } from './messages.tsx';
import { MissingPart } from './missing-part.tsx';
import { useSamePerson } from './same-person.ts';
import { SessionDialog, SessionLost } from './session-lost.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

const Find = lazyPart(async () => (await import('./find.tsx')).Find, { leave: ({ close }) => close() });
const RequiredFactor = lazyPart(
  async () => (await import('../pages/settings/required-factor.tsx')).RequiredFactor,
);
const HeaderHints = lazyPart(async () => (await import('./header-hints.tsx')).HeaderHints);
const SampleBanner = lazyPart(async () => (await import('./sample-banner.tsx')).SampleBanner);
const KeysHelp = lazyPart(async () => (await import('./keys-help.tsx')).KeysHelp, {
  leave: ({ close }) => close(),
});

/** The frame of every page after sign-in: header, navigation and the notice that the server is unreachable. */
export function Layout() {
  const me = useQuery(meQuery);
  const [finding, find] = useDisclosure();
  const [helping, help] = useDisclosure();
  const [open, menu] = useDisclosure();
  const [isLimited, setLimited] = useState(false);
  if (me.data?.second_factor_required && !isLimited) setLimited(true);
  const [wasOpen, setWasOpen] = useState(false);
  if (me.data !== undefined && !me.data.second_factor_required && !isLimited && !wasOpen) setWasOpen(true);
  const endLimit = () => {
    setLimited(false);
    endFactorSetUp(true);
  };
  const sessionLoss = useSessionLoss();
  useSamePerson();
  useFocusReturn();
  useShortcuts({ find: find.toggle, help: help.toggle });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening another page closes the menu in a narrow window.
  useEffect(menu.close, [path]);
  const [hints, setHints] = useState(false);
  const header = useRef<HTMLElement>(null);
  useEffect(() => {
    // The tooltips need much code, and nobody reads them before that.
    for (const type of ['pointermove', 'focusin'])
      header.current?.addEventListener(type, () => setHints(true), { once: true });
  }, []);
  const isUnsaved = useHasUnsaved();
  useEffect(() => {
    // Without these, a page whose session ends after an upgrade would lose what was typed.
    if (isUnsaved) preload(SessionDialog, Find, Notices);
  }, [isUnsaved]);

  return (
    <>
      <a className={classes.skip} href="#content">
        {t`Skip to content`}
      </a>
      <header className={classes.header} ref={header}>
        <ActionIcon
          className={classes.burger ?? ''}
          aria-label={t`Navigation`}
          aria-expanded={open}
          aria-controls="navigation"
          onClick={menu.toggle}
        >
          <IconMenu2 size={18} aria-hidden />
        </ActionIcon>
        <Link to="/" className={classes.name}>
          <Logo size={20} />
          <span>{t`Gatehouse`}</span>
        </Link>
        <span className={classes.organization}>
          <Name of={me.data?.organization.name ?? ''} />
        </span>
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
            title={t`Search pages, people, accounts and apps`}
            onPointerEnter={() => preload(Find)}
            onFocus={() => preload(Find)}
            onClick={find.open}
          >
            <span className={classes.word}>{t`Search`}</span>
          </Button>
        )}
        {me.data !== undefined && !isLimited && <Bell />}
        <ActionIcon
          data-hint="keys"
          className={classes.wide ?? ''}
          aria-label={t`Keyboard shortcuts`}
          onClick={help.open}
        >
          <IconKeyboard size={18} aria-hidden />
        </ActionIcon>
        <SchemeSwitch />
        <AccountButton />
      </header>
      <nav id="navigation" className={classes.navigation} aria-label={t`Pages`} data-open={open || undefined}>
        {!isLimited && <Areas />}
      </nav>
      <main id="content" className={classes.main} tabIndex={-1}>
        <ServerNotice />
        <Sample of={me.data} hidden={isLimited} />
        {me.data === undefined
          ? me.isError && <Failure error={me.error} again={() => void me.refetch()} />
          : isLimited && <RequiredFactor me={me.data} done={endLimit} />}
        {/* A page that was open before keeps what was typed. */}
        {wasOpen && (
          <div hidden={isLimited}>
            <Outlet />
          </div>
        )}
      </main>
      <UnsavedChanges />
      <CountsAsUnsaved value={false}>
        <ConfirmationDialog />
        <ConflictDialog />
      </CountsAsUnsaved>
      {hints && <HeaderHints />}
      {finding && !isLimited && <Find close={find.close} showKeys={help.open} />}
      {helping && <KeysHelp close={help.close} />}
      {sessionLoss !== undefined && <SessionLost why={sessionLoss} />}
      <MissingPart />
    </>
  );
}

/** The banner of a sample company. */
const Sample = ({ of, hidden }: { of: Me | undefined; hidden: boolean }) =>
  of?.organization.sample === true && !hidden && <SampleBanner />;

/** Shows that the server is unreachable. The page stays usable while a node restarts. */
function ServerNotice() {
  const reachable = useReachable();
  return (
    <div role="status" className={classes.notice}>
      {!reachable && <p className={classes.silent}>{t`The server is not responding. Trying again.`}</p>}
    </div>
  );
}

/** Switches between light and dark. This browser remembers the choice (public/start.js). */
function SchemeSwitch() {
  // Otherwise Mantine adds a <style> element during the change, which the content security policy blocks.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark = useComputedColorScheme('light') === 'dark';
  const label = dark ? t`Use light theme` : t`Use dark theme`;
  return (
    <ActionIcon data-hint="scheme" aria-label={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
      {dark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </ActionIcon>
  );
}
