import { plural } from '@lingui/core/macro';
import { Box, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { Section } from '../../kit/controls/section.tsx';
import type { App } from './app.ts';

const LicensePicture = lazyPart(async () => (await import('./license-picture.tsx')).LicensePicture, {
  fallback: <Skeleton height={260} />,
});

interface Props {
  app: Pick<App, 'external_uuid' | 'name'>;
  /** One license of the app. Undefined: all. */
  license?: { id: string; name: string };
  title: string;
}

/** The assignments of licenses over time. Nothing before the second time is on record. */
export function LicenseTrend({ app, license, title }: Props) {
  const trend = useQuery({
    ...get('/api/apps/{app_id}/license-trend/', {
      path: { app_id: app.external_uuid },
      query: license === undefined ? {} : { resource_id: license.id },
    }),
    staleTime: 60_000,
  });
  if (trend.data === undefined || trend.data.results.length < 2) return null;
  const { left_out } = trend.data;
  return (
    <Box mt="lg">
      <Section title={title}>
        <LicensePicture name={license?.name ?? app.name} trend={trend.data} />
        {left_out > 0 && (
          <Text size="sm" c="dimmed">
            {plural(left_out, {
              one: '# license without a seat limit is not counted.',
              other: '# licenses without a seat limit are not counted.',
            })}
          </Text>
        )}
      </Section>
    </Box>
  );
}
