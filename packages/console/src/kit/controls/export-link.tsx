import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconDownload } from '../icons/icons.ts';

/** Downloads a list that the server exports. The browser streams it to a file, whatever its size. */
export function ExportLink({ address }: { address: string }) {
  return (
    <Button
      component="a"
      variant="default"
      href={address}
      download
      leftSection={<IconDownload size={15} aria-hidden />}
    >
      <Trans>Export CSV</Trans>
    </Button>
  );
}
