import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Section } from '../../kit/controls/section.tsx';

const AccessHeatMap = lazy(() =>
  import('./access-heat-map.tsx').then(({ AccessHeatMap: found }) => ({ default: found })),
);
const Movements = lazy(() => import('./movements.tsx').then(({ Movements: found }) => ({ default: found })));

/** Pictures of all people: who has access to what, and who came, moved and left. */
export function Insights() {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Section title={t`People with access, by app and department`}>
        <AccessHeatMap />
      </Section>
      <Section title={t`Joiners, movers and leavers`}>
        <Movements />
      </Section>
    </Suspense>
  );
}
