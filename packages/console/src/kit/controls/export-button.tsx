import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { notifyFailure } from '../../api/client.ts';
import { IconDownload } from '../icons/icons.ts';

/** Saves a list as CSV. Shows progress while the list loads, and a message if that fails. */
export function ExportButton({ save }: { save: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await save().catch(notifyFailure);
    setBusy(false);
  };
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<IconDownload size={15} aria-hidden />}
      onClick={() => void press()}
    >
      {t`Export CSV`}
    </Button>
  );
}
