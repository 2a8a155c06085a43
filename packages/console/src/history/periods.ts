import { t } from '@lingui/core/macro';
import type { Item, Query } from '../api/client.ts';
import { type Scale, scaleFrom, shareOf } from '../kit/chart/timeline-scale.ts';

export type Period = Item<'/api/history/access/'>;
export type PeriodFilter = Omit<Query<'/api/history/access/'>, 'cursor' | 'limit'>;

/** The name of a period's group, license or account. */
export const periodName = ({ resource, account }: Period) =>
  resource === null ? accountLabel(account) : resource.name || resource.id;

export const accountLabel = ({ display_name, email, external_id }: Period['account']) =>
  [email, display_name, external_id].find((name) => name !== null && name !== '') ?? t`Unnamed account`;

/** "Account", "Group" or "License" */
export const periodType = ({ resource }: Period) =>
  resource === null ? t`Account` : resource.type === 'license' ? t`License` : t`Group`;

/** The periods of one account or entitlement, from first to last. */
export interface Row {
  id: string;
  periods: Period[];
}

export interface AppRows {
  app: Period['app'];
  rows: Row[];
}

const startOf = ({ bounds: { not_before, seen_from } }: Period) =>
  Date.parse(seen_from ?? not_before ?? '') || 0;

/** Groups periods by app. In an app, each account comes before its groups and licenses. */
export function rowsOf(periods: readonly Period[]): AppRows[] {
  const rowOf = ({ account, resource }: Period) =>
    resource === null ? account.id : `${account.id} ${resource.type} ${resource.slug} ${resource.id}`;
  const order = (a: Row, b: Row) =>
    accountOf(a).localeCompare(accountOf(b)) ||
    Number(a.id !== accountOf(a)) - Number(b.id !== accountOf(b)) ||
    startOf(a.periods[0] as Period) - startOf(b.periods[0] as Period);
  return [...Map.groupBy(periods, ({ app }) => app.id).values()]
    .map((inApp) => ({
      app: (inApp[0] as Period).app,
      rows: [...Map.groupBy(inApp, rowOf)]
        .map(([id, ofRow]) => ({ id, periods: ofRow.toSorted((a, b) => startOf(a) - startOf(b)) }))
        .sort(order),
    }))
    .sort((a, b) => a.app.name.localeCompare(b.app.name));
}

const accountOf = ({ periods: [first] }: Row) => first?.account.id ?? '';

/** A period as a bar, in percent: the whole bar on the scale, and the certain part in the bar. */
export interface Bar {
  left: number;
  width: number;
  certain: { left: number; width: number } | undefined;
  isOpen: boolean;
}

/** Returns undefined if the period is outside the scale. */
export function barOf({ bounds }: Period, scale: Scale): Bar | undefined {
  const { not_before, seen_from, seen_until, gone_by } = bounds;
  const start = not_before === null ? scale.from : Date.parse(not_before);
  const end = gone_by === null ? scale.to : Date.parse(gone_by);
  if (end < scale.from || start > scale.to) return undefined;
  const [left, right] = [shareOf(scale, start), shareOf(scale, end)];
  const width = right - left;
  const isOpen = gone_by === null;
  if (seen_from === null || seen_until === null) return { left, width, certain: undefined, isOpen };
  const [from, to] = [Date.parse(seen_from), Date.parse(seen_until)].map((time) => shareOf(scale, time));
  const within = (share = left) => (width === 0 ? 0 : ((share - left) / width) * 100);
  return {
    left,
    width,
    certain: width === 0 ? { left: 0, width: 100 } : { left: within(from), width: within(to) - within(from) },
    isOpen,
  };
}

/** The time that a timeline of these periods shows. Without a start, it begins with the first period. */
export function scaleOf(periods: readonly Period[], from: number | undefined): Scale {
  const whole = scaleFrom(
    periods.flatMap(({ bounds: { not_before, seen_from } }) => {
      const first = not_before ?? seen_from;
      return first === null ? [] : [Date.parse(first)];
    }),
  );
  return from === undefined ? whole : { ...whole, from };
}
