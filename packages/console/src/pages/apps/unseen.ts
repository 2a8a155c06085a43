import { plural, t } from '@lingui/core/macro';
import type { Answer } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';

/** The records and members of which the connector of an app reports that its syncs do not show them. */
export type Unseen = NonNullable<Answer<'/api/apps/{app_id}/'>['unseen']>[number];
type Rule = Unseen['rule'];

const RECORDS: Record<Rule, (n: number) => string> = {
  range: (n) =>
    plural(n, {
      one: '# record is outside of the ranges in the settings',
      other: '# records are outside of the ranges in the settings',
    }),
  filter: (n) =>
    plural(n, {
      one: '# record does not match the filters in the settings',
      other: '# records do not match the filters in the settings',
    }),
  class: (n) =>
    plural(n, {
      one: '# record is not an account, such as a computer or a contact',
      other: '# records are not accounts, such as computers or contacts',
    }),
  foreign: (n) =>
    plural(n, {
      one: '# record belongs to another system or domain',
      other: '# records belong to another system or domain',
    }),
  computed: (n) =>
    plural(n, { one: '# record is computed by the app', other: '# records are computed by the app' }),
  unreadable: (n) =>
    plural(n, {
      one: '# record cannot be read by the connector',
      other: '# records cannot be read by the connector',
    }),
};

const MEMBERS: Record<Rule, (n: number) => string> = {
  range: (n) =>
    plural(n, {
      one: '# member is outside of the ranges in the settings',
      other: '# members are outside of the ranges in the settings',
    }),
  filter: (n) =>
    plural(n, {
      one: '# member does not match the filters in the settings',
      other: '# members do not match the filters in the settings',
    }),
  class: (n) =>
    plural(n, {
      one: '# member is not an account, such as a computer or a contact',
      other: '# members are not accounts, such as computers or contacts',
    }),
  foreign: (n) =>
    plural(n, {
      one: '# member belongs to another system or domain',
      other: '# members belong to another system or domain',
    }),
  computed: (n) =>
    plural(n, { one: '# member is computed by the app', other: '# members are computed by the app' }),
  unreadable: (n) =>
    plural(n, {
      one: '# member cannot be read by the connector',
      other: '# members cannot be read by the connector',
    }),
};

/** "12 members belong to another system or domain" */
export const memberWords = (rule: Rule, count: number): string => MEMBERS[rule](count);

const sum = (entries: readonly Unseen[]) => entries.reduce((total, { count }) => total + count, 0);

/** One line for each rule, for records by type and for members by the number of groups. */
export function linesOf(unseen: readonly Unseen[], typeName: (slug: string) => string): string[] {
  const rules = (entries: readonly Unseen[]) => [...Map.groupBy(entries, ({ rule }) => rule)];
  const records = rules(unseen.filter(({ id }) => id === null)).map(([rule, entries]) => {
    const words = RECORDS[rule](sum(entries));
    const types = listed(entries.map(({ slug }) => typeName(slug)));
    return t`${words} (${types})`;
  });
  const members = rules(unseen.filter(({ id }) => id !== null)).map(([rule, entries]) => {
    const words = MEMBERS[rule](sum(entries));
    const groups = plural(entries.length, { one: '# group or license', other: '# groups or licenses' });
    return t`${words} (${groups})`;
  });
  return [...records, ...members];
}
