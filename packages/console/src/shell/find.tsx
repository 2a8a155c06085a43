import { plural, t } from '@lingui/core/macro';
import { CloseButton, Modal, TextInput, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { get } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { AppLogo } from '../apps/app-logo.tsx';
import { ActionDialog } from '../kit/action/action-dialog.tsx';
import { linkTo } from '../kit/browser/address.ts';
import { useBackCloses } from '../kit/browser/dialog-history.ts';
import { Status } from '../kit/controls/status.tsx';
import { IconSearch } from '../kit/icons/icons.ts';
import { AmongNames, Name } from '../kit/text/name.tsx';
import { Avatar } from '../people/avatar.tsx';
import classes from './find.module.css';
import { dateIn } from './find-dates.ts';
import {
  actionsOn,
  actionsWith,
  type FindGroup,
  type FindItem,
  groupsOf,
  recentGroup,
  verbIn,
} from './find-items.tsx';
import { pagesWith, tabsIn, tabsOf } from './find-pages.ts';
import { pastGroup } from './find-past.ts';
import { recentOf, rememberRecent } from './find-recent.ts';
import { usePages } from './navigation.ts';
import { useSignOut } from './sign-out.ts';

const SHORTEST = 2;

/** Finds records, pages and actions (Ctrl-K). A combobox: the focus stays in the field while the arrows choose. */
export function Find({ close, showKeys }: { close: () => void; showKeys: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [leaving, setLeaving] = useState(false);
  const navigate = useNavigate();
  const { me, readsAll } = useMe();
  const list = useId();
  const [entered, setEntered] = useState(false);
  const { groups, isSearching } = useGroups(typed);
  const items = groups.flatMap((group) => group.items);
  const chosen = items[at];
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark = useComputedColorScheme('light') === 'dark';
  const signOut = useSignOut();
  useBackCloses(true, close);
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is chosen.
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, typed]);

  const open = (item: FindItem) => {
    if (item.type !== undefined) {
      setTyped(item.type);
      setAt(0);
      return;
    }
    if (item.command === 'sign-out') return setLeaving(true);
    close();
    if (item.command === 'scheme') setColorScheme(dark ? 'light' : 'dark');
    if (item.command === 'keys') showKeys();
    if (item.to === undefined) return;
    if (me !== undefined) rememberRecent(me.external_uuid, item);
    void navigate(linkTo(item.to));
  };
  const press = (event: KeyboardEvent) => {
    const last = items.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      PageDown: Math.min(at + 5, last),
      PageUp: Math.max(at - 5, 0),
    };
    const next = moves[event.key];
    if (next !== undefined) setAt(Math.max(0, next));
    else if (event.key !== 'Enter') return;
    // The first entry can be that of the text before.
    else if (isSearching && at === 0 && (chosen === undefined || chosen.isFound === true)) setEntered(true);
    else if (chosen !== undefined) open(chosen);
    event.preventDefault();
  };
  useEffect(() => {
    if (!entered || isSearching) return;
    setEntered(false);
    if (chosen !== undefined) open(chosen);
  });

  if (leaving) {
    const signingOut = {
      title: t`Sign out?`,
      sentence: t`You can sign in again at any time.`,
      button: t`Sign out`,
      request: signOut,
    };
    return <ActionDialog of={signingOut} close={close} />;
  }
  return (
    <Modal.Root opened onClose={close} size="lg" lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t`Search`} className={classes.dialog ?? ''}>
        <TextInput
          data-autofocus
          variant="unstyled"
          size="md"
          className={classes.field ?? ''}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={<CloseButton aria-label={t`Close`} onClick={close} />}
          role="combobox"
          aria-label={t`Search`}
          aria-expanded={items.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={chosen && `${list}-${at}`}
          placeholder={t`Search people, accounts, apps, pages and actions`}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
            setEntered(false);
          }}
          onKeyDown={press}
        />
        <div ref={box} className={classes.results}>
          <Results
            list={list}
            groups={groups}
            chosen={chosen}
            open={open}
            choose={(item) => setAt(items.indexOf(item))}
          />
        </div>
        {readsAll && typed === '' && (
          <p
            className={classes.hint}
          >{t`Add a day to see earlier access: “ada 15 Oct”, “payroll yesterday”.`}</p>
        )}
        <p role="status" className={items.length === 0 ? classes.none : classes.spoken}>
          {items.length > 0
            ? plural(items.length, { one: '# result', other: '# results' })
            : isSearching
              ? t`Searching…`
              : t`No results`}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

interface ResultsProps {
  list: string;
  groups: readonly FindGroup[];
  chosen: FindItem | undefined;
  open: (item: FindItem) => void;
  choose: (item: FindItem) => void;
}

function Results({ list, groups, chosen, open, choose }: ResultsProps) {
  const items = groups.flatMap((group) => group.items);
  return (
    <AmongNames of={items.map(({ name }) => name)}>
      <div id={list} role="listbox" aria-label={t`Results`}>
        {groups.map(({ title, items: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, not fieldsets.
          <div key={title} role="group" aria-label={title}>
            <div className={classes.title} aria-hidden>
              {title}
            </div>
            {own.map((item) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
              <div
                key={item.id}
                id={`${list}-${items.indexOf(item)}`}
                role="option"
                tabIndex={-1}
                aria-selected={item === chosen}
                className={classes.item}
                onClick={() => open(item)}
                onMouseMove={() => item !== chosen && choose(item)}
              >
                <Picture of={item} />
                <span className={classes.name}>
                  <Name of={item.name} />
                </span>
                {item.state !== undefined && <Status of={item.state} />}
                {item.about !== undefined && item.about !== '' && (
                  <span className={classes.about}>{item.about}</span>
                )}
                <span className={classes.spoken}>{item.kind}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </AmongNames>
  );
}

function Picture({ of: { picture, name, id, icon: Icon } }: { of: FindItem }) {
  return (
    <span className={classes.picture}>
      {picture === 'person' && <Avatar name={name} of={id} />}
      {picture === 'app' && <AppLogo name={name} />}
      {picture === undefined && <Icon size={18} aria-hidden />}
    </span>
  );
}

/** Searches for a text a moment after it was typed. */
function useFound(wanted: string) {
  const [q] = useDebouncedValue(wanted, 150);
  const isAsked = wanted !== '' && (q.length >= SHORTEST || /^#?\d+$/.test(q));
  const found = useQuery({
    ...get('/api/find/', { query: { q } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return {
    results: isAsked ? (found.data?.results ?? []) : [],
    isSearching: q !== wanted || (isAsked && (found.isPending || found.isPlaceholderData)),
  };
}

const filled = (groups: FindGroup[]) => groups.filter(({ items }) => items.length > 0);

function useGroups(typed: string): { groups: FindGroup[]; isSearching: boolean } {
  const { me, role, readsAll } = useMe();
  const pages = usePages(me);
  const dark = useComputedColorScheme('light') === 'dark';
  const text = typed.trim();
  const verb = verbIn(typed.trimStart(), role);
  const dated = readsAll && verb === undefined ? dateIn(text) : undefined;
  const tabbed = verb === undefined && dated === undefined ? tabsIn(text, readsAll) : undefined;
  const whole = useFound(verb?.rest ?? text);
  // The name without the day or the tab.
  const named = useFound((dated ?? tabbed)?.rest ?? '');
  const isSearching = whole.isSearching || named.isSearching;
  if (verb !== undefined) return { groups: filled([actionsOn(verb.verb, whole.results)]), isSearching };
  const ownPages = pagesWith(text, pages, readsAll);
  const tabs = tabbed === undefined ? [] : tabsOf(tabbed.tabs, named.results);
  const own = [{ title: t`Pages`, items: [...ownPages, ...tabs] }, actionsWith(text, role, dark)];
  if (text === '') {
    const recent = me === undefined ? [] : recentOf(me.external_uuid);
    return { groups: filled([recentGroup(recent), ...own]), isSearching: false };
  }
  const past = dated === undefined ? [] : [pastGroup(named.results, dated)];
  return { groups: filled([...past, ...own, ...groupsOf(whole.results)]), isSearching };
}
