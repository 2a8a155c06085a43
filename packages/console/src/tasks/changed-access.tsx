import { Fragment } from 'react';
import { EntitlementLink } from '../access/entitlement-link.tsx';
import type { Item } from '../api/client.ts';

type Changes = Item<'/api/tasks/'>['changes'];

/** "+ Support, Viewer; − Exports", each as a link. */
export function ChangedAccess({ of, appId }: { of: Changes; appId: string }) {
  const all = Object.entries(of).flatMap(([slug, { added, removed }]) => [
    ...added.map((one) => ({ ...one, slug, sign: '+' })),
    ...removed.map((one) => ({ ...one, slug, sign: '−' })),
  ]);
  if (all.length === 0) return '–';
  const signs = [...Map.groupBy(all, ({ sign }) => sign)].sort();
  return signs.map(([sign, changes], part) => (
    <Fragment key={sign}>
      {part > 0 && '; '}
      {sign}{' '}
      {changes.map((one, index) => (
        <Fragment key={`${one.slug} ${one.id}`}>
          {index > 0 && ', '}
          <EntitlementLink of={one} appId={appId} />
        </Fragment>
      ))}
    </Fragment>
  ));
}
