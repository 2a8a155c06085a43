import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { base } from '../../api/base.ts';

/** Streams from the server straight into a file: a cycle of any size. */
export function Evidence({ cycleId, short = false }: { cycleId: string; short?: boolean }) {
  return (['csv', 'json'] as const).map((format) => (
    <Button
      key={format}
      component="a"
      variant="default"
      href={`${base}/api/reviews/cycles/${cycleId}/evidence/?format=${format}`}
      download
      leftSection={<IconDownload size={15} aria-hidden />}
    >
      {short ? format.toUpperCase() : `Evidence (${format.toUpperCase()})`}
    </Button>
  ));
}
