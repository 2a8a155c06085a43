import { plural, t } from '@lingui/core/macro';
import { type Condition, INCOMPLETE, type Row, writeCondition } from '../../conditions/condition-model.ts';
import { attributeField } from '../../conditions/condition-vocabulary.ts';
import type { Action, Policy, Trigger } from './policy.ts';
import type { StartId } from './start-ids.ts';

/** A policy that a template fills in. */
export interface Start {
  /** The label of the link. */
  label: string;
  policy: Partial<Policy>;
  /** The rows of its condition, if one of them needs a value. */
  begin?: Condition;
}

interface Template {
  title: string;
  about: string;
  starts: readonly StartId[];
}

const DEPARTMENT = attributeField('department');
const DAYS = 30;
const UNUSED_DAYS = 90;

const rows = (...items: Row[]): Condition => ({ join: 'and', items });
const inDepartment = (operator: 'is' | 'is_not') => rows({ field: DEPARTMENT, operator, values: [] });

function start(
  [label, name]: readonly [label: string, name: string],
  trigger: Trigger,
  action: Action,
  more: Partial<Policy> & { in?: 'all'; begin?: Condition } = {},
): Start {
  const { in: app = '', begin, ...policy } = more;
  const effects = [{ do: action, app, memberships: {}, assignments: {} }];
  const condition = begin === undefined ? 'true' : INCOMPLETE;
  return {
    label,
    policy: { name, trigger, condition, effects, ...policy },
    ...(begin === undefined ? {} : { begin }),
  };
}

/** Returns a start with these days until leavers are deleted. */
export function startOf(id: StartId, days: number = DAYS): Start {
  switch (id) {
    case 'joiners':
      return start([t`Use template`, t`Joiners`], 'user.starts', 'grant', {
        ...{ begin: inDepartment('is'), offset_days: -7 },
      });
    case 'team':
      return start([t`Use template`, t`Access of a team`], 'daily', 'grant', { begin: inDepartment('is') });
    case 'movers':
      return start([t`Use template`, t`Movers`], 'user.updated', 'revoke', { begin: inDepartment('is_not') });
    case 'leavers-suspend':
      return start([t`Suspend`, t`Leavers, suspended`], 'user.deactivated', 'suspend', { in: 'all' });
    case 'leavers-delete':
      return start(
        [
          plural(days, { one: 'Delete # day later', other: 'Delete # days later' }),
          plural(days, { one: 'Leavers, deleted after # day', other: 'Leavers, deleted after # days' }),
        ],
        'user.deactivated',
        'delete',
        {
          ...{ in: 'all', delay: `P${days}D` },
        },
      );
    case 'last-day-suspend':
      return start(
        [t`Suspend after the last day`, t`Leavers, after their last day`],
        'user.ends',
        'suspend',
        {
          in: 'all',
        },
      );
    case 'last-day-delete':
      return start(
        [
          plural(DAYS, {
            one: 'Delete # day after the last day',
            other: 'Delete # days after the last day',
          }),
          plural(DAYS, {
            one: 'Leavers, deleted # day after their last day',
            other: 'Leavers, deleted # days after their last day',
          }),
        ],
        'user.ends',
        'delete',
        {
          ...{ in: 'all', offset_days: DAYS },
        },
      );
    case 'unused':
      return start([t`Use template`, t`Unused accounts`], 'daily', 'suspend', {
        in: 'all',
        condition: writeCondition(
          rows(
            { field: 'user.identity_type', operator: 'is', values: ['human'] },
            { field: 'account.days_since_sign_in', operator: 'at_least', values: [String(UNUSED_DAYS)] },
          ),
        ),
      });
    case 'leave':
      return start([t`Suspend`, t`Suspend during a leave`], 'user.on_leave', 'suspend', { in: 'all' });
    case 'back':
      return start([t`Unsuspend afterwards`, t`Unsuspend after a leave`], 'user.back', 'unsuspend', {
        in: 'all',
      });
  }
}

/** The templates, each with the policies that belong together. */
export const TEMPLATES: readonly Template[] = [
  {
    title: t`Joiners`,
    about: t`People of a department get an account a week before their first day.`,
    starts: ['joiners'],
  },
  {
    title: t`Access of a team`,
    about: t`Everybody in a department has the same groups and licenses, checked every day.`,
    starts: ['team'],
  },
  {
    title: t`Movers`,
    about: t`People who leave a department lose its groups and licenses.`,
    starts: ['movers'],
  },
  {
    title: t`Leavers`,
    about: t`Accounts are suspended when somebody leaves, and deleted later.`,
    starts: ['leavers-suspend', 'leavers-delete', 'last-day-suspend', 'last-day-delete'],
  },
  {
    title: t`Unused accounts`,
    about: t`Accounts of people who have not signed in for 90 days are suspended.`,
    starts: ['unused'],
  },
  {
    title: t`Leave`,
    about: t`Accounts rest during a leave, and work again afterwards.`,
    starts: ['leave', 'back'],
  },
];
