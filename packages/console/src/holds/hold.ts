import { plural, t } from '@lingui/core/macro';
import type { Answer, Query } from '../api/client.ts';
import { valuesOf } from '../kit/form/form-options.ts';
import { grouped } from '../kit/text/words.ts';
import { formatTag } from '../language/language.ts';

export type Hold = Answer<'/api/holds/{hold_id}/'>;
type HoldQuery = Query<'/api/holds/'>;
type Kind = NonNullable<HoldQuery['kind']>;
type HoldStatus = NonNullable<HoldQuery['status']>;

export const HOLD_KINDS = valuesOf<Kind>({ people: true, group: true, app: true });
export const HOLD_STATUSES = valuesOf<HoldStatus>({ open: true, confirmed: true, discarded: true });

export const KIND_WORDS: Record<Kind, string> = {
  people: t`People of a client`,
  group: t`Members of a group`,
  app: t`Accounts of an app`,
};

/** "SCIM key Okta" */
export function clientWord({ type, label }: NonNullable<Hold['client']>): string {
  if (label === '') return t`A client that no longer exists`;
  if (type === 'import') return t`Import by ${label}`;
  return type === 'scim' ? t`SCIM key ${label}` : t`API key ${label}`;
}

/** "61 of 600 people: SCIM key Okta" */
export function holdTitle({ kind, affected, of, client, group, app }: Hold): string {
  const all = grouped(of);
  if (kind === 'group') {
    const name = group?.name ?? '';
    const members = plural(affected, { one: `# of ${all} members`, other: `# of ${all} members` });
    return t`${members}: ${name}`;
  }
  if (kind === 'app') {
    const name = app?.name ?? '';
    const accounts = plural(affected, { one: `# of ${all} accounts`, other: `# of ${all} accounts` });
    return t`${accounts}: ${name}`;
  }
  const people = plural(affected, { one: `# of ${all} people`, other: `# of ${all} people` });
  if (client === null) return people;
  const name = clientWord(client);
  return t`${people}: ${name}`;
}

/** Returns a sentence about what has happened. */
export function holdAbout({ kind }: Hold): string {
  if (kind === 'group')
    return t`A group lost many members in an hour. They have lost what the group gives in Gatehouse, and their access in apps stays until somebody decides.`;
  if (kind === 'app')
    return t`Tasks of an app wait until somebody decides: they would take more than the app may lose in 24 hours, or give access to somebody behind the decision.`;
  return t`A client deactivated, deleted or replaced many people in 24 hours. They can no longer sign in, and their access in apps stays until somebody decides.`;
}

const percent = new Intl.NumberFormat(formatTag, { style: 'percent', maximumFractionDigits: 1 });

/** "10.2%" */
export function shareWords({ affected, of }: Pick<Hold, 'affected' | 'of'>): string | undefined {
  if (of === 0) return undefined;
  return percent.format(affected / of);
}
