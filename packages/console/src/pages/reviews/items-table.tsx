import { Anchor, Button } from '@mantine/core';
import { IconKey, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { api, type List, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { type Bulk, BulkJob } from '../../parts/bulk-job.tsx';
import { DataTable, type Selection } from '../../parts/data-table.tsx';
import { TextLink } from '../../parts/links.tsx';
import { ReassignDialog } from '../../parts/reassign-dialog.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted, grouped } from '../../parts/words.ts';
import { CommentDialog } from './comment-dialog.tsx';
import { useDecide } from './decide.ts';
import { DecideMany, type Many } from './decide-many.tsx';
import { DecisionCell } from './decision-cell.tsx';
import { Facts } from './facts.tsx';
import {
  type Cycle,
  type Decision,
  facts,
  type Item,
  itemName,
  itemWords,
  kindWord,
  obstacleTo,
} from './item.ts';
import classes from './reviews.module.css';

interface Props {
  cycle: Cycle;
  items: List<Item>;
  /** Whether these are all items; then a column names the reviewers. */
  all: boolean;
  /** Whether this person's role can decide. */
  decides: boolean;
  page: number | undefined;
  onPage: (page: number | undefined) => void;
  onPerson: ((userId: string) => void) | undefined;
  empty: ReactNode;
}

/** Most reviewers have fewer items, so that all items of a person are on one page. */
const PAGE = 100;
const ICONS = { account: IconUser, membership: IconUsersGroup, assignment: IconKey };
const itemId = ({ id }: Item) => id;

/** The items of a cycle, grouped by person, with their context and decision. */
export function ItemsTable({ cycle, items, all, decides, page, onPage, onPerson, empty }: Props) {
  const { me, manages } = useMe();
  const { mutate } = useDecide(cycle.external_uuid);
  const [commented, setCommented] = useState<Item>();
  const [many, setMany] = useState<Many>();
  const [reassigning, setReassigning] = useState<Selection<Item>>();
  const [job, setJob] = useState<Bulk<Item>>();

  const decide = useCallback(
    (item: Item, decision: Decision) => {
      if (item.decision !== decision) mutate({ item: item.id, decision, comment: null });
    },
    [mutate],
  );
  const columns = useMemo(
    () => columnsOf({ cycle, all, decides, decide, comment: setCommented }),
    [cycle, all, decides, decide],
  );
  const group = useCallback(
    (item: Item) => ({
      id: item.user?.external_uuid ?? item.account.external_uuid,
      title: <PersonHeading item={item} onPerson={onPerson} />,
    }),
    [onPerson],
  );
  const onKey = (decision: Decision) => (item: Item) => {
    const can = obstacleTo(cycle, item, me?.external_uuid ?? '') === undefined;
    if (can) decide(item, decision);
    return can;
  };
  const keys = {
    y: onKey('keep'),
    n: onKey('revoke'),
    c: (item: Item) => {
      if (obstacleTo(cycle, item, me?.external_uuid ?? '') === undefined) setCommented(item);
      return false;
    },
  };
  const deciding = decides && cycle.status !== 'scheduled';
  return (
    <>
      <DataTable<Item>
        label="Items"
        noun="item"
        list={items}
        columns={columns}
        rowId={itemId}
        rowName={itemWords}
        group={group}
        {...(deciding ? { keys } : {})}
        page={page}
        onPage={onPage}
        pageSize={PAGE}
        csv="review-items"
        {...(deciding && cycle.status === 'in_progress'
          ? {
              actions: (selection) => (
                <>
                  <Button variant="default" onClick={() => setMany({ decision: 'keep', selection })}>
                    Keep {grouped(selection.count)}
                  </Button>
                  <Button color="red" onClick={() => setMany({ decision: 'revoke', selection })}>
                    Revoke {grouped(selection.count)}
                  </Button>
                  <Button variant="default" onClick={() => setReassigning(selection)}>
                    Reassign {grouped(selection.count)}
                  </Button>
                </>
              ),
            }
          : {})}
        empty={empty}
      />
      {commented !== undefined && (
        <CommentDialog cycle={cycle} item={commented} close={() => setCommented(undefined)} />
      )}
      {many !== undefined && (
        <DecideMany {...many} cycle={cycle} close={() => setMany(undefined)} begin={setJob} />
      )}
      {reassigning !== undefined && (
        <ReassignDialog
          title={`Reassign ${counted(reassigning.count, 'item')}?`}
          about={`The people whom you choose review these items instead of ${manages ? 'their reviewers' : 'you and those for whom you are the deputy'}. Decided items and your own access are not affected.`}
          label="New reviewers"
          search={{
            of: cycle.external_uuid,
            find: (q, signal) =>
              load(
                '/api/reviews/cycles/{cycle_id}/items/reassign/candidates/',
                { path: { cycle_id: cycle.external_uuid }, query: { q } },
                signal,
              ),
          }}
          close={() => setReassigning(undefined)}
          act={async (to, reason) =>
            setJob(reassignJob(cycle, reassigning, me?.external_uuid, { to, reason }))
          }
        />
      )}
      <BulkJob job={job} close={() => setJob(undefined)} />
    </>
  );
}

/** Reassigns the selected items that are undecided and not about the user's own access. */
function reassignJob(
  cycle: Cycle,
  selection: Selection<Item>,
  me: string | undefined,
  handOver: { to: string[]; reason: string },
): Bulk<Item> {
  const send = (items: Item[]) =>
    ok(
      api.POST('/api/reviews/cycles/{cycle_id}/items/reassign/', {
        params: { path: { cycle_id: cycle.external_uuid } },
        body: { items: items.map(({ id }) => id), ...handOver },
      }),
    );
  return {
    title: `Reassign ${counted(selection.count, 'item')}`,
    rows: async () => {
      const rows = await selection.rows();
      selection.clear();
      return rows.filter(({ decision, user }) => decision === null && user?.external_uuid !== me);
    },
    act: (item) => send([item]),
    together: { size: 100, act: send },
    name: itemWords,
  };
}

interface Deciding {
  cycle: Cycle;
  all: boolean;
  decides: boolean;
  decide: (item: Item, decision: Decision) => void;
  comment: (item: Item) => void;
}

function columnsOf({ cycle, all, decides, decide, comment }: Deciding): Column<Item>[] {
  return [
    {
      id: 'access',
      header: 'Access',
      cell: (item) => <Access item={item} />,
      csv: itemName,
    },
    {
      id: 'context',
      header: 'Context',
      cell: (item) => <Facts cycle={cycle} item={item} />,
      csv: (item) =>
        facts(cycle, item)
          .map(({ words }) => words)
          .join('; '),
    },
    ...(all
      ? [
          {
            id: 'reviewer',
            header: 'Reviewer',
            cell: ({ reviewers }: Item) => reviewerWords(reviewers),
            csv: ({ reviewers }: Item) => reviewers.map(({ email }) => email).join(' '),
          },
        ]
      : []),
    {
      id: 'decision',
      header: 'Decision',
      cell: (item) => (
        <DecisionCell cycle={cycle} item={item} decides={decides} decide={decide} comment={comment} />
      ),
      csv: ({ decision }) => decision,
    },
  ];
}

function reviewerWords(reviewers: Item['reviewers']): string {
  const [first, ...others] = reviewers;
  if (first === undefined) return 'Administrators';
  return others.length === 0 ? first.email : `${first.email} or ${grouped(others.length)} more`;
}

function Access({ item }: { item: Item }) {
  const Icon = ICONS[item.kind];
  return (
    <span className={classes.access}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <span>
        <strong>{itemName(item)}</strong>
        <span className={classes.where}>
          {kindWord(item.kind)} in {item.app.name}
        </span>
      </span>
    </span>
  );
}

/** The heading above a person's items. */
function PersonHeading({ item, onPerson }: { item: Item; onPerson: Props['onPerson'] }) {
  const { readsAll } = useMe();
  const { user, account, context } = item;
  if (user === null) {
    return (
      <span className={classes.person}>
        <strong>{account.email || account.username || 'Unnamed account'}</strong>
        <span className={classes.warn}>Orphaned account</span>
      </span>
    );
  }
  const name = user.name || user.email;
  const about = [context.person?.title, context.person?.department, user.name === '' ? '' : user.email];
  return (
    <span className={classes.person}>
      <strong>
        {readsAll ? (
          <TextLink to="/people/$userId" params={{ userId: user.external_uuid }} inherit>
            {name}
          </TextLink>
        ) : (
          name
        )}
      </strong>
      <span className={classes.about}>{about.filter(Boolean).join(' · ')}</span>
      {context.person?.status === 'deactivated' && <span className={classes.warn}>Deactivated</span>}
      {onPerson !== undefined && (
        <Anchor component="button" type="button" size="xs" onClick={() => onPerson(user.external_uuid)}>
          Show only {name}
        </Anchor>
      )}
    </span>
  );
}
