import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { base } from '../../api/base.ts';

/** Buttons to download the evidence. The browser streams it to a file, whatever its size. */
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
      {short ? format.toUpperCase() : `Download evidence (${format.toUpperCase()})`}
    </Button>
  ));
}
