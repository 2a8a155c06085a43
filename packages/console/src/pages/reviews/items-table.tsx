import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useReducer } from 'react';
import { everything, list, load, notifyFailure, type Query } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { usePageKeys } from '../../kit/browser/keys.ts';
import { BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { DataTable, pageQuery } from '../../kit/table/data-table.tsx';
import { keepDecided, useDecide } from './decide.ts';
import { isAsked, type Many } from './decide-many.tsx';
import { type Cycle, type Decision, type Item, itemName, itemWords, obstacleTo, rowOf } from './item.ts';
import { columnsOf } from './item-columns.tsx';
import { PATH as CONTEXT, useContexts } from './item-context.ts';
import { AccessHeading, PersonHeading } from './item-headings.tsx';
import { OpenDialog } from './items-dialog.tsx';
import { IDLE, itemsReducer } from './items-state.ts';
import { KeepTogetherButton, TOGETHER_KEY, withoutDeviations } from './keep-together.tsx';
import { needsReason } from './pace.ts';
import { ON_PHONES } from './phone.ts';
import { PhoneBar } from './phone-bar.tsx';
import { scrollTo, usePhoneItem } from './phone-item.ts';
import classes from './reviews.module.css';

const ITEMS = '/api/reviews/cycles/{cycle_id}/items/';

interface Props {
  cycle: Cycle;
  filter: Query<typeof ITEMS>;
  /** Whether these are all items; then a column names the reviewers. */
  all: boolean;
  by: 'person' | 'access';
  /** Whether this person's role can decide. */
  decides: boolean;
  page: number | undefined;
  onPage: (page: number | undefined) => void;
  onPerson: ((userId: string) => void) | undefined;
  /** The filters, beside which the items without deviations are kept. */
  filters: ReactNode;
  empty: ReactNode;
}

/** Most reviewers have fewer items, so that all items of a person are on one page. */
const PAGE = 100;
const itemId = ({ id }: Item) => id;

/** The items of a cycle, grouped by person or by access, with what deviates in them and their decision. */
export function ItemsTable(props: Props) {
  const { cycle, filter, all, by, decides, page, onPage, onPerson, filters, empty } = props;
  const order = by === 'access' ? ('access' as const) : undefined;
  const path = { cycle_id: cycle.external_uuid };
  const items = keepDecided(list(ITEMS, { path, query: { ...filter, order } }));
  const { me } = useMe();
  const myId = me?.external_uuid ?? '';
  const { mutate } = useDecide(cycle);
  const [{ dialog, job, touched }, dispatch] = useReducer(itemsReducer, IDLE);
  const isPhone = useMediaQuery(ON_PHONES) === true;
  // The rows of the table below, which reads them with the same query.
  const { data } = useQuery(pageQuery(items, page, PAGE));
  const rows = data?.results;
  const { contexts, error: contextError } = useContexts(cycle, rows);
  const client = useQueryClient();
  /** Decided items stay on the page of undecided ones. The next page would skip as many: read the same page again instead. */
  const turn = (next: number | undefined) => {
    const isForward = (next ?? 1) > (page ?? 1);
    const leaves = filter.decision === 'none' && rows?.some(({ decision }) => decision !== null) === true;
    if (isForward && leaves) void client.resetQueries({ queryKey: items.key });
    else onPage(next);
  };

  /** Whether the advice on an item is on the page. Nobody decides without it, whichever way they take. */
  const isAdvised = useCallback((item: Item) => contexts.has(item.id), [contexts]);
  const decide = useCallback(
    (item: Item, decision: Decision) => {
      if (item.decision === decision || !isAdvised(item)) return;
      // Removing what gives the access is a decision of its own.
      if (decision === 'revoke' && item.context.via !== null)
        dispatch({ type: 'open', dialog: { kind: 'comment', item } });
      else if (needsReason()) dispatch({ type: 'open', dialog: { kind: 'pause', item, decision } });
      else mutate({ items: [item], decision, comment: null });
    },
    [mutate, isAdvised],
  );
  /** Decides immediately if that can be undone, and asks otherwise. */
  const decideMany = useCallback(
    async (asked: Many) => {
      const { decision, selection } = asked;
      if (decision === undefined || isAsked(cycle, decision, selection))
        return dispatch({ type: 'open', dialog: { kind: 'decide', many: asked } });
      const chosen = (await selection.rows()).filter((item) => obstacleTo(cycle, item, myId) === undefined);
      selection.clear();
      if (chosen.length > 0) mutate({ items: chosen, decision, comment: null });
    },
    [cycle, myId, mutate],
  );
  const comment = useCallback(
    (item: Item) => {
      if (isAdvised(item)) dispatch({ type: 'open', dialog: { kind: 'comment', item } });
    },
    [isAdvised],
  );
  const showDetails = useCallback(
    (item: Item) => dispatch({ type: 'open', dialog: { kind: 'details', item } }),
    [],
  );
  const touch = useCallback((item: Item | undefined) => {
    dispatch({ type: 'touch', item });
    if (item !== undefined) scrollTo(item);
  }, []);
  const open = isPhone ? touch : showDetails;
  const deciding = decides && cycle.status !== 'scheduled';
  const isAdvisedPage = rows?.every(isAdvised) === true;
  const shown = JSON.stringify(filter);
  const keepAll = useMemo(() => {
    const { decision, ...query } = JSON.parse(shown) as typeof filter;
    // Undecided items must be among those that are listed.
    const isPossible = deciding && isAdvisedPage && cycle.status === 'in_progress';
    if (!isPossible || (decision ?? 'none') !== 'none') return undefined;
    return async (userId: string) => {
      const asked = await undecidedOf(cycle, query, userId);
      if (asked.selection.count > 0) return decideMany(asked);
      notifications.show({ message: t`These items of the person are decided.`, autoClose: 4000 });
    };
  }, [deciding, isAdvisedPage, cycle, shown, decideMany]);
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
  const isOpen = (item: Item) => item.decision === null && canDecide(item);
  /** The rows in the order of the table. */
  const ordered = [...Map.groupBy(rows ?? [], (row) => group(row).id).values()].flat();
  const bar = usePhoneItem({ items: isPhone && deciding ? ordered.filter(canDecide) : [], touched, touch });
  const current = bar.item?.id;
  const columns = useMemo(
    () => columnsOf({ cycle, all, by, decides, contexts, current, decide, comment, open }),
    [cycle, all, by, decides, contexts, current, decide, comment, open],
  );
  const onKey = (decision: Decision) => (item: Item) => {
    if (!canDecide(item) || !isAdvised(item)) return false;
    const isPaused = item.decision !== decision && needsReason();
    decide(item, decision);
    return !isPaused;
  };
  const keys = {
    y: onKey('keep'),
    n: onKey('revoke'),
    c: (item: Item) => {
      if (canDecide(item)) comment(item);
      return false;
    },
    i: (item: Item) => {
      showDetails(item);
      return false;
    },
  };
  const plain = useMemo(
    () =>
      deciding && cycle.status === 'in_progress' ? withoutDeviations(cycle, rows ?? [], contexts, myId) : [],
    [deciding, cycle, rows, contexts, myId],
  );
  const keepTogether = () => {
    if (plain.length > 0) dispatch({ type: 'open', dialog: { kind: 'together', items: plain } });
  };
  usePageKeys({ [TOGETHER_KEY]: keepTogether });
  /** Decides in the details. Other dialogs that ask first take their place. */
  const decideOne = (item: Item, decision: Decision) => {
    const isAsked = item.decision !== decision && needsReason();
    decide(item, decision);
    const next = ordered.slice(ordered.findIndex(({ id }) => id === item.id) + 1).find(isOpen);
    if (isAsked || (decision === 'revoke' && item.context.via !== null)) return;
    if (next !== undefined) showDetails(next);
  };
  const focusNext = () => {
    const next = ordered.find((item) => isOpen(item) && !plain.includes(item));
    if (next !== undefined) rowOf(next)?.focus();
  };
  return (
    <div
      className={classes.items}
      data-decides={deciding || undefined}
      data-compact={(deciding && cycle.status === 'in_progress') || undefined}
      style={bar.style}
    >
      <div className={classes.tools}>
        {filters}
        <KeepTogetherButton count={plain.length} open={keepTogether} />
      </div>
      {contextError !== undefined && (
        <Failure error={contextError} again={() => void client.refetchQueries({ queryKey: [CONTEXT] })} />
      )}
      <DataTable<Item>
        label={t`Items`}
        counted={(n) => plural(n, { one: '# item', other: '# items' })}
        list={items}
        columns={columns}
        rowId={itemId}
        rowName={itemWords}
        compared={namesOf}
        group={group}
        {...(deciding ? { keys, due: isOpen } : { keys: { i: keys.i } })}
        page={page}
        onPage={turn}
        pageSize={PAGE}
        csv="review-items"
        {...(deciding && cycle.status === 'in_progress'
          ? {
              actions: (selection) => (
                <>
                  <Button
                    variant="default"
                    disabled={!isAdvisedPage}
                    onClick={() => void decideMany({ decision: 'keep', selection }).catch(notifyFailure)}
                  >
                    {plural(selection.count, { one: 'Keep #', other: 'Keep #' })}
                  </Button>
                  <Button
                    color="red"
                    disabled={!isAdvisedPage}
                    onClick={() => void decideMany({ decision: 'revoke', selection }).catch(notifyFailure)}
                  >
                    {plural(selection.count, { one: 'Revoke #', other: 'Revoke #' })}
                  </Button>
                  <Button
                    variant="default"
                    disabled={!isAdvisedPage}
                    onClick={() =>
                      dispatch({
                        type: 'open',
                        dialog: { kind: 'decide', many: { decision: undefined, selection } },
                      })
                    }
                  >
                    {t`Comment…`}
                  </Button>
                  <Button
                    variant="default"
                    onClick={() => dispatch({ type: 'open', dialog: { kind: 'reassign', selection } })}
                  >
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
          item={bar.item}
          isShown={bar.isShown}
          isAdvised={bar.item !== undefined && isAdvised(bar.item)}
          show={bar.show}
          decide={(item, decision) => {
            if (!isAdvised(item)) return;
            const isPaused = item.decision !== decision && needsReason();
            decide(item, decision);
            if (!isPaused) bar.next();
          }}
          open={showDetails}
        />
      )}
      {dialog !== undefined && (
        <OpenDialog
          dialog={dialog}
          cycle={cycle}
          contexts={contexts}
          decide={mutate}
          dispatch={dispatch}
          rows={ordered}
          decideOne={deciding ? decideOne : undefined}
          focusNext={focusNext}
        />
      )}
      <BulkJob job={job} close={() => dispatch({ type: 'end' })} />
    </div>
  );
}

/** Returns the decision to keep all undecided items of a person that match the filter, which may be on several pages. */
async function undecidedOf(cycle: Cycle, filter: Props['filter'], user: string): Promise<Many> {
  const path = { cycle_id: cycle.external_uuid };
  const query = { ...filter, decision: 'none', user } as const;
  const { count } = await load(ITEMS, { path, query: { ...query, limit: 1 } });
  const rows = () => Array.fromAsync(everything(list(ITEMS, { path, query })));
  return { decision: 'keep', selection: { count, rows, clear: () => undefined } };
}

const namesOf = (item: Item) => [itemName(item), item.app.name];
