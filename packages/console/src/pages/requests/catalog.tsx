import { plural, t } from '@lingui/core/macro';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { get } from '../../api/client.ts';
import { AppFilter } from '../../apps/app-picker.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { offerUndo } from '../../kit/controls/undo.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { FilterSelect, Filters, Search } from '../../kit/table/filters.tsx';
import { AmongNames } from '../../kit/text/name.tsx';
import { grouped } from '../../kit/text/words.ts';
import { Basket } from './basket.tsx';
import classes from './catalog.module.css';
import { CatalogCard, entryName } from './catalog-card.tsx';
import { keepBasket, keptBasket } from './kept-basket.ts';
import { type Entry, entryKey } from './lines.ts';
import { newRequestSearch } from './search.ts';
import { useIsDisconnected } from './warnings.tsx';

const SIZE = 24;
/** The server stops counting here. */
const COUNTED = 1000;
const KINDS = optionsOf<Entry['kind']>({ account: t`Accounts`, group: t`Groups`, license: t`Licenses` });

interface Props {
  /** The user who is signed in. */
  me: string;
  user: string;
  /** Null for the user who is signed in. */
  requester: string | null;
  own: boolean;
}

/** Everything that can be requested for a person, as cards, and the request that the chosen ones make. */
export function Catalog({ me, user, requester, own }: Props) {
  const [at, go] = useAddress(newRequestSearch);
  const [chosen, setChosen] = useState(() => keptBasket(me, user).entries);
  const basket = useRef<HTMLElement>(null);
  const { q, app, kind, page = 1 } = at;
  const query = useQuery({
    ...get('/api/catalog/', {
      query: { user, q, app, kind, limit: SIZE, offset: (page - 1) * SIZE, count_to: COUNTED },
    }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = [q, app, kind].some((value) => value !== undefined);
  const keys = new Set(chosen.map(entryKey));
  const toggle = (entry: Entry) =>
    setChosen((before) =>
      before.some((one) => entryKey(one) === entryKey(entry))
        ? before.filter((one) => entryKey(one) !== entryKey(entry))
        : [...before, entry],
    );
  const drop = (entries: readonly Entry[]) => {
    const dropped = new Set(entries.map(entryKey));
    setChosen((now) => now.filter((one) => !dropped.has(entryKey(one))));
  };
  const remove = (entry: Entry) => {
    const name = entryName(entry);
    drop([entry]);
    offerUndo({
      message: t`${name} was removed from your request`,
      undo: () => setChosen((now) => [...now.filter((one) => entryKey(one) !== entryKey(entry)), entry]),
    });
  };
  useEffect(() => keepBasket(me, user, { entries: chosen }), [me, user, chosen]);
  return (
    <div className={classes.desk}>
      <div>
        <Filters some={isFiltered} clear={() => go({ q: undefined, app: undefined, kind: undefined })}>
          <Search label={t`Search by name or description`} value={q} set={(next) => go({ q: next })} />
          <AppFilter value={app} set={(next) => go({ app: next })} />
          <FilterSelect
            label={t`Kind`}
            options={KINDS}
            value={kind}
            set={(next) => go({ kind: next as Entry['kind'] | undefined })}
          />
        </Filters>
        {query.isError && query.data === undefined && (
          <Failure error={query.error} again={() => void query.refetch()} />
        )}
        {query.isPending && <Skeleton height={320} />}
        {query.data?.results.length === 0 && <Nothing app={app} filtered={isFiltered} />}
        <AmongNames of={(query.data?.results ?? []).map(entryName)}>
          <ul className={classes.cards} aria-label={t`Catalog`}>
            {query.data?.results.map((entry) => (
              <CatalogCard
                key={`${entry.kind} ${entryKey(entry)}`}
                entry={entry}
                peers={query.data.peers}
                own={own}
                chosen={keys.has(entryKey(entry))}
                toggle={() => toggle(entry)}
              />
            ))}
          </ul>
        </AmongNames>
        {query.data !== undefined && (
          <Pages
            count={query.data.count}
            more={query.data.more === true}
            page={page}
            turn={(next) => go({ page: next === 1 ? undefined : next })}
          />
        )}
      </div>
      <Basket
        ref={basket}
        chosen={chosen}
        remove={remove}
        sent={drop}
        me={me}
        people={{ user, requester }}
        own={own}
      />
      {chosen.length > 0 && (
        <div className={classes.shortcut}>
          <Button
            fullWidth
            onClick={() => {
              basket.current?.scrollIntoView();
              basket.current?.focus();
            }}
          >
            {plural(chosen.length, {
              one: 'Review the request (# item)',
              other: 'Review the request (# items)',
            })}
          </Button>
        </div>
      )}
    </div>
  );
}

function Nothing({ app, filtered }: { app: string | undefined; filtered: boolean }) {
  const isDisconnected = useIsDisconnected(app);
  if (isDisconnected) {
    return (
      <Empty title={t`This app is disconnected`}>
        {t`Access can be requested again once it is reconnected.`}
      </Empty>
    );
  }
  return (
    <Empty title={filtered ? t`Nothing to request matches these filters` : t`Nothing to request`}>
      {filtered
        ? t`Clear the filters, or request a missing app.`
        : t`Apps appear here as soon as an administrator adds them.`}
    </Empty>
  );
}

interface PagesProps {
  count: number;
  more: boolean;
  page: number;
  turn: (page: number) => void;
}

function Pages({ count, more, page, turn }: PagesProps) {
  const last = Math.max(1, Math.ceil(count / SIZE));
  if (last === 1 && page === 1) return null;
  const [at, of] = [grouped(page), grouped(last)];
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed">
        {more ? t`Page ${at} of more than ${of}` : t`Page ${at} of ${of}`}
      </Text>
      <Group gap="xs">
        <Button variant="default" disabled={page <= 1} onClick={() => turn(Math.min(page - 1, last))}>
          {t`Previous`}
        </Button>
        <Button variant="default" disabled={page >= last && !more} onClick={() => turn(page + 1)}>
          {t`Next`}
        </Button>
      </Group>
    </Group>
  );
}
