import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { base } from '../../api/base.ts';
import { IconDownload } from '../../kit/icons/icons.ts';

const FORMATS = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
] as const;

interface Props {
  cycleId: string;
  /** Names only the formats, where a heading says what they are of. */
  short?: boolean;
}

/** Buttons to download the evidence. The browser streams it to a file, whatever its size. */
export const Evidence = ({ cycleId, short = false }: Props) => (
  <Group gap={6}>
    {FORMATS.map(([format, name]) => (
      <Button
        key={format}
        component="a"
        variant="default"
        href={`${base}/api/reviews/cycles/${cycleId}/evidence/?format=${format}`}
        download
        leftSection={<IconDownload size={15} aria-hidden />}
        {...(short ? { size: 'compact-xs', 'aria-label': t`Download evidence as ${name}` } : {})}
      >
        {short ? name : t`Download evidence (${name})`}
      </Button>
    ))}
  </Group>
);
