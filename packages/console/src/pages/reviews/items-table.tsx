import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { everything, type List, list, load, notifyFailure } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { type Bulk, BulkJob } from '../../parts/bulk-job.tsx';
import { DataTable, pageQuery, type Selection } from '../../parts/data-table.tsx';
import { ReassignDialog } from '../../parts/reassign-dialog.tsx';
import { CommentDialog } from './comment-dialog.tsx';
import { useDecide } from './decide.ts';
import { DecideMany, isAsked, type Many } from './decide-many.tsx';
import { type Cycle, type Decision, type Item, itemWords, obstacleTo } from './item.ts';
import { columnsOf } from './item-columns.tsx';
import { useContexts } from './item-context.ts';
import { ItemDrawer } from './item-drawer.tsx';
import { AccessHeading, PersonHeading } from './item-headings.tsx';
import { giveReason, needsReason } from './pace.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { ON_PHONES } from './phone.ts';
import { PhoneBar } from './phone-bar.tsx';
import { reassignJob, reassignSearch, reassignWords } from './reassign.ts';
import classes from './reviews.module.css';

interface Props {
  cycle: Cycle;
  items: List<Item>;
  /** Whether these are all items; then a column names the reviewers. */
  all: boolean;
  by: 'person' | 'access';
  /** Whether this person's role can decide. */
  decides: boolean;
  page: number | undefined;
  onPage: (page: number | undefined) => void;
  onPerson: ((userId: string) => void) | undefined;
  empty: ReactNode;
}

/** Most reviewers have fewer items, so that all items of a person are on one page. */
const PAGE = 100;
const itemId = ({ id }: Item) => id;

interface Waiting {
  item: Item;
  decision: Decision;
}

/** The items of a cycle, grouped by person or by access, with what deviates in them and their decision. */
export function ItemsTable({ cycle, items, all, by, decides, page, onPage, onPerson, empty }: Props) {
  const { me, manages } = useMe();
  const myId = me?.external_uuid ?? '';
  const { mutate } = useDecide(cycle);
  const [commented, setCommented] = useState<Item>();
  const [opened, setOpened] = useState<Item>();
  const [many, setMany] = useState<Many>();
  const [reassigning, setReassigning] = useState<Selection<Item>>();
  const [job, setJob] = useState<Bulk<Item>>();
  const [waiting, setWaiting] = useState<Waiting>();
  const [current, setCurrent] = useState<string>();
  const isPhone = useMediaQuery(ON_PHONES) === true;
  // The rows of the table below, which reads them with the same query.
  const { data } = useQuery(pageQuery(items, page, PAGE));
  const rows = data?.results;
  const contexts = useContexts(cycle, rows);

  const decide = useCallback(
    (item: Item, decision: Decision) => {
      if (item.decision === decision) return;
      if (needsReason()) setWaiting({ item, decision });
      else mutate({ items: [item], decision, comment: null });
    },
    [mutate],
  );
  /** Decides at once what can be undone, and asks otherwise. */
  const decideMany = useCallback(
    async (asked: Many) => {
      const { decision, selection } = asked;
      if (decision === undefined || isAsked(cycle, decision, selection)) return setMany(asked);
      const chosen = (await selection.rows()).filter((item) => obstacleTo(cycle, item, myId) === undefined);
      selection.clear();
      if (chosen.length > 0) mutate({ items: chosen, decision, comment: null });
    },
    [cycle, myId, mutate],
  );
  const open = useCallback((item: Item) => (isPhone ? setCurrent(item.id) : setOpened(item)), [isPhone]);
  const columns = useMemo(
    () => columnsOf({ cycle, all, by, decides, contexts, current, decide, comment: setCommented, open }),
    [cycle, all, by, decides, contexts, current, decide, open],
  );
  const deciding = decides && cycle.status !== 'scheduled';
  const keepAll = useMemo(
    () =>
      deciding && cycle.status === 'in_progress'
        ? async (userId: string) => {
            const asked = await undecidedOf(cycle, all, userId);
            if (asked.selection.count > 0) return decideMany(asked);
            notifications.show({ message: t`All items of this person are decided.`, autoClose: 4000 });
          }
        : undefined,
    [deciding, cycle, all, decideMany],
  );
  const group = useCallback(
    (item: Item) =>
      by === 'access'
        ? {
            id: [item.app.external_uuid, item.kind, item.resource?.slug, item.resource?.id].join(' '),
            title: <AccessHeading item={item} />,
          }
        : {
            id: item.user?.external_uuid ?? item.account.external_uuid,
            title: (
              <PersonHeading
                item={item}
                onPerson={onPerson}
                keepAll={item.user?.external_uuid === myId ? undefined : keepAll}
              />
            ),
          },
    [by, onPerson, keepAll, myId],
  );
  const canDecide = (item: Item) => obstacleTo(cycle, item, myId) === undefined;
  const onKey = (decision: Decision) => (item: Item) => {
    if (!canDecide(item)) return false;
    const isPaused = item.decision !== decision && needsReason();
    decide(item, decision);
    return !isPaused;
  };
  const keys = {
    y: onKey('keep'),
    n: onKey('revoke'),
    c: (item: Item) => {
      if (canDecide(item)) setCommented(item);
      return false;
    },
    i: (item: Item) => {
      setOpened(item);
      return false;
    },
  };
  return (
    <div className={classes.items} data-decides={deciding || undefined}>
      <DataTable<Item>
        label={t`Items`}
        counted={(n) => plural(n, { one: '# item', other: '# items' })}
        list={items}
        columns={columns}
        rowId={itemId}
        rowName={itemWords}
        group={group}
        {...(deciding ? { keys } : { keys: { i: keys.i } })}
        page={page}
        onPage={onPage}
        pageSize={PAGE}
        csv="review-items"
        {...(deciding && cycle.status === 'in_progress'
          ? {
              actions: (selection) => (
                <>
                  <Button
                    variant="default"
                    onClick={() => void decideMany({ decision: 'keep', selection }).catch(notifyFailure)}
                  >
                    {plural(selection.count, { one: 'Keep #', other: 'Keep #' })}
                  </Button>
                  <Button
                    color="red"
                    onClick={() => void decideMany({ decision: 'revoke', selection }).catch(notifyFailure)}
                  >
                    {plural(selection.count, { one: 'Revoke #', other: 'Revoke #' })}
                  </Button>
                  <Button variant="default" onClick={() => setMany({ decision: undefined, selection })}>
                    <Trans>Comment…</Trans>
                  </Button>
                  <Button variant="default" onClick={() => setReassigning(selection)}>
                    {plural(selection.count, { one: 'Reassign #', other: 'Reassign #' })}
                  </Button>
                </>
              ),
            }
          : {})}
        empty={empty}
      />
      {isPhone && deciding && (
        <PhoneBar
          rows={(rows ?? []).filter(canDecide)}
          current={current}
          decide={(item, decision) => {
            setCurrent(undefined);
            decide(item, decision);
          }}
          open={setOpened}
        />
      )}
      {opened !== undefined && (
        <ItemDrawer
          cycle={cycle}
          item={opened}
          context={contexts.get(opened.id)}
          close={() => setOpened(undefined)}
        />
      )}
      {commented !== undefined && (
        <CommentDialog cycle={cycle} item={commented} close={() => setCommented(undefined)} />
      )}
      {waiting !== undefined && (
        <PauseDialog
          close={() => setWaiting(undefined)}
          go={(reason) => {
            giveReason(reason);
            mutate({ items: [waiting.item], decision: waiting.decision, comment: reason });
            setWaiting(undefined);
          }}
        />
      )}
      {many !== undefined && (
        <DecideMany {...many} cycle={cycle} close={() => setMany(undefined)} begin={setJob} />
      )}
      {reassigning !== undefined && (
        <ReassignDialog
          {...reassignWords(reassigning.count, manages)}
          search={reassignSearch(cycle)}
          close={() => setReassigning(undefined)}
          act={async (to, reason) =>
            setJob(reassignJob(cycle, reassigning, me?.external_uuid, { to, reason }))
          }
        />
      )}
      <BulkJob job={job} close={() => setJob(undefined)} />
    </div>
  );
}

/** Returns the decision to keep all undecided items of a person, which may be on several pages. */
async function undecidedOf(cycle: Cycle, all: boolean, user: string): Promise<Many> {
  const path = { cycle_id: cycle.external_uuid };
  const query = { mine: all ? undefined : true, decision: 'none', user } as const;
  const ITEMS = '/api/reviews/cycles/{cycle_id}/items/';
  const { count } = await load(ITEMS, { path, query: { ...query, limit: 1 } });
  const rows = () => Array.fromAsync(everything(list(ITEMS, { path, query })));
  return { decision: 'keep', selection: { count, rows, clear: () => undefined } };
}
