import { plural, t } from '@lingui/core/macro';
import { Email } from '../../kit/controls/email.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import { IconKey, IconUser, IconUsersGroup } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { DecisionCell } from './decision-cell.tsx';
import { type Cycle, type Decision, facts, type Item, itemName, itemWords, whereWords } from './item.ts';
import { type Contexts, deviations, recommendationWords } from './item-context.ts';
import classes from './reviews.module.css';
import { Signs } from './signs.tsx';

interface Deciding {
  cycle: Cycle;
  all: boolean;
  by: 'person' | 'access';
  decides: boolean;
  contexts: Contexts;
  /** The item of the bar at the bottom of a phone. */
  current: string | undefined;
  decide: (item: Item, decision: Decision) => void;
  comment: (item: Item) => void;
  open: (item: Item) => void;
}

export function columnsOf({ cycle, all, by, decides, contexts, current, ...act }: Deciding): Column<Item>[] {
  return [
    column.cell(
      'access',
      by === 'access' ? t`Person` : t`Access`,
      { fill: true, phone: 'title', csv: itemName },
      (item) => <Access item={item} by={by} isCurrent={item.id === current} open={act.open} />,
    ),
    column.cell(
      'context',
      t`Advice`,
      { phone: 'detail', csv: (item) => csvOf(cycle, item, contexts) },
      (item) => (contexts.has(item.id) ? <Signs context={contexts.get(item.id)} /> : <Pending width={160} />),
    ),
    ...(all
      ? [
          column.cell(
            'reviewer',
            t`Reviewer`,
            { csv: ({ reviewers }: Item) => reviewers.map(({ email }) => email).join(' ') },
            ({ reviewers }: Item) => <span className={classes.about}>{reviewerWords(reviewers)}</span>,
          ),
        ]
      : []),
    column.cell('decision', t`Decision`, { phone: 'detail', csv: ({ decision }) => decision }, (item) => (
      <DecisionCell
        cycle={cycle}
        item={item}
        decides={decides}
        isAdvised={contexts.has(item.id)}
        decide={act.decide}
        comment={act.comment}
      />
    )),
  ];
}

/** The facts of an item, and what deviates if its page was shown. */
function csvOf(cycle: Cycle, item: Item, contexts: Contexts): string {
  const more = contexts.get(item.id);
  const known = facts(cycle, item).map(({ words }) => words);
  const found = [...deviations(more), recommendationWords(more)].filter((words) => words !== undefined);
  return [...known, ...found.filter((words) => !known.includes(words))].join('; ');
}

function reviewerWords(reviewers: Item['reviewers']): string {
  const [first, ...others] = reviewers;
  if (first === undefined) return t`Administrators`;
  const { email } = first;
  return others.length === 0
    ? email
    : plural(others.length, { one: `${email} or # more`, other: `${email} or # more` });
}

const ICONS = { account: IconUser, membership: IconUsersGroup, assignment: IconKey };

interface AccessProps {
  item: Item;
  by: 'person' | 'access';
  isCurrent: boolean;
  open: (item: Item) => void;
}

/** The name of an item. Opens its details. */
function Access({ item, by, isCurrent, open }: AccessProps) {
  const Icon = by === 'access' ? IconUser : ICONS[item.kind];
  const { user, account } = item;
  const person = user?.name || user?.email || account.email || account.username;
  const words = itemWords(item);
  return (
    <span className={classes.access} data-item={item.id} data-current={isCurrent || undefined}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <span>
        <button
          type="button"
          className={classes.open}
          aria-label={t`Details of ${words}`}
          onClick={() => open(item)}
        >
          {by === 'access' ? (
            person
          ) : item.kind === 'account' ? (
            <Email of={itemName(item)} />
          ) : (
            <Name of={itemName(item)} />
          )}
        </button>
        <span className={classes.where}>
          {by === 'access' ? <Name of={account.email || account.username} /> : whereWords(item)}
        </span>
      </span>
    </span>
  );
}
