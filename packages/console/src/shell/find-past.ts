import { t } from '@lingui/core/macro';
import { addressAt } from '../history/past.ts';
import { IconHistory } from '../kit/icons/icons.ts';
import { mediumDay } from '../kit/text/words.ts';
import { type Dated, endOf } from './find-dates.ts';
import { type FindGroup, type Found, itemOf } from './find-items.tsx';

interface Past {
  words: (name: string, day: string) => string;
  /** The page that shows the access. Archived apps have none of their own. */
  address: (found: Found) => string;
}

const accessOf = (name: string, day: string) => t`Access of ${name} on ${day}`;
const accessTo = (name: string, day: string) => t`People with access to ${name} on ${day}`;

/** The kinds that have or give access, in the order in which they are listed. */
const PAST: Partial<Record<Found['kind'], Past>> = {
  person: {
    words: accessOf,
    address: ({ external_uuid }) => `/people/${external_uuid}`,
  },
  resource: { words: accessTo, address: ({ external_uuid }) => `/access/${external_uuid}` },
  app: {
    words: accessTo,
    address: ({ external_uuid, status }) =>
      status === 'archived' ? `/accounts?app=${external_uuid}` : `/apps/${external_uuid}?tab=accounts`,
  },
  account: {
    words: accessOf,
    address: ({ external_uuid }) => `/accounts/${external_uuid}`,
  },
};
const KINDS = Object.keys(PAST);

/** Returns a row for each record: the access on the day. Records with exactly this name come first. */
export function pastGroup(found: readonly Found[], { day, rest }: Dated): FindGroup {
  const on = mediumDay(day);
  const as_of = endOf(day);
  const isOther = ({ name }: Found) => (name.toLowerCase() === rest.toLowerCase() ? 0 : 1);
  const items = found
    .filter(({ kind }) => kind in PAST)
    .sort(
      (one, other) => isOther(one) - isOther(other) || KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
    )
    .flatMap((one) => {
      const past = PAST[one.kind];
      if (past === undefined) return [];
      return {
        ...itemOf(one),
        id: `${one.external_uuid} ${as_of}`,
        name: past.words(one.name, on),
        kind: t`Earlier access`,
        icon: IconHistory,
        picture: undefined,
        to: addressAt(past.address(one), { as_of }),
      };
    });
  return { title: t`On ${on}`, items };
}
