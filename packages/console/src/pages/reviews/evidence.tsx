import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { base } from '../../api/base.ts';

const FORMATS = [
  { format: 'csv', what: 'the items, for a spreadsheet' },
  { format: 'json', what: 'the review and its items' },
];

/** Streams from the server straight into a file: a cycle of any size. */
export function Evidence({ cycleId }: { cycleId: string }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />}>
          Evidence
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, what }) => (
          <Menu.Item
            key={format}
            component="a"
            href={`${base}/api/reviews/cycles/${cycleId}/evidence/?format=${format}`}
            download
          >
            {format.toUpperCase()}: {what}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
