import { t } from '@lingui/core/macro';
import type { components } from '../api/schema.ts';
import { localDay } from '../kit/text/words.ts';
import type { Giver } from './through.tsx';

export type GrantReference = components['schemas']['GrantReference'];

/** Why an account has something: the grants in force, and whether a sync found it. */
export interface Reasons {
  grants: readonly Omit<GrantReference, 'via'>[];
  found: boolean;
  /** The group or license that gives it, if something else does. */
  via?: Giver | null | undefined;
}

/** "Granted by the policy Engineers". Members do not see the names of decisions. */
export function grantWords({ kind, label }: Pick<GrantReference, 'kind' | 'label'>): string {
  const name = label ?? '';
  switch (kind) {
    case 'request':
      return name === '' ? t`Granted by an approved request` : name;
    case 'policy':
      return name === '' ? t`Granted by a policy` : t`Granted by the policy ${name}`;
    case 'manual':
      return name === '' ? t`Granted manually by an administrator` : t`Granted manually: ${name}`;
    case 'restore':
      return t`Granted by a restore`;
    default:
      return t`Granted through Gatehouse`;
  }
}

export const foundWords = t`Discovered by sync`;
export const unknownWords = t`No decision gives it now`;

/** The first reason. */
export const reasonWords = ({ grants: [first], found }: Reasons): string =>
  first === undefined ? (found ? foundWords : unknownWords) : grantWords(first);

/** "until December 3, 2026" */
export function untilWords(end: string): string {
  const day = localDay(new Date(end));
  return t`until ${day}`;
}

/** Returns a sentence about how the access can end. */
export function endingWords({ grants, found, via }: Reasons): string {
  if (via != null)
    return t`These are the reasons of the group or license that gives it. The account keeps it as long as it has that one.`;
  if (found && grants.length === 0)
    return t`Nobody has decided about it here. An access review, a policy or an administrator can remove it.`;
  if (found)
    return t`The app had it before these decisions, so it stays when they end. An access review, a policy or an administrator can remove it.`;
  if (grants.length === 0)
    return t`No decision gives it to the person who has the account now. Check whether it is still needed.`;
  const ends = grants.flatMap(({ ends_at }) => (ends_at === null ? [] : [ends_at])).sort();
  if (ends.length < grants.length)
    return t`It has no planned end. An access review, a policy or an administrator can remove it.`;
  const day = localDay(new Date(ends.at(-1) ?? ''));
  return grants.length === 1
    ? t`It is removed on ${day}.`
    : t`It is removed on ${day}, when the last of these decisions ends.`;
}
