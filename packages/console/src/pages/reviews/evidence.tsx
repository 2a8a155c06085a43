import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { base } from '../../api/base.ts';

const FORMATS = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
] as const;

/** Buttons to download the evidence. The browser streams it to a file, whatever its size. */
export function Evidence({ cycleId, short = false }: { cycleId: string; short?: boolean }) {
  return FORMATS.map(([format, name]) => (
    <Button
      key={format}
      component="a"
      variant="default"
      href={`${base}/api/reviews/cycles/${cycleId}/evidence/?format=${format}`}
      download
      leftSection={<IconDownload size={15} aria-hidden />}
    >
      {short ? name : t`Download evidence (${name})`}
    </Button>
  ));
}
