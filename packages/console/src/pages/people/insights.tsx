import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { Section } from '../../kit/controls/section.tsx';

const fallback = <Skeleton height={320} />;
const AccessHeatMap = lazyPart(async () => (await import('./access-heat-map.tsx')).AccessHeatMap, {
  fallback,
});
const Movements = lazyPart(async () => (await import('./movements.tsx')).Movements, { fallback });

/** Pictures of all people: who has access to what, and who came, moved and left. */
export function Insights() {
  return (
    <>
      <Section title={t`People with access, by app and department`}>
        <AccessHeatMap />
      </Section>
      <Section title={t`Joiners, movers and leavers`}>
        <Movements />
      </Section>
    </>
  );
}
