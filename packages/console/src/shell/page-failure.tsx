import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { MissingFile } from '../kit/browser/files.ts';
import { reload, reloadOnce } from '../kit/browser/new-version.ts';
import { Failure } from '../kit/controls/failure.tsx';

/** Takes the place of a page that cannot be drawn. The frame stays. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  const isMissing = error instanceof MissingFile;
  useEffect(() => {
    // The person has left the page before, so nothing unsaved is on screen.
    if (isMissing) reloadOnce();
  }, [isMissing]);
  if (!isMissing) return <Failure error={error} again={reset} />;
  return (
    <Alert color="yellow" variant="light" role="alert" title={t`A new version of Gatehouse is available`}>
      <Text size="sm">
        {t`This page needs the new version. If reloading does not help, Gatehouse is being upgraded: try again in a minute.`}
      </Text>
      <Group mt="xs">
        <Button variant="default" onClick={reload}>
          {t`Reload page`}
        </Button>
      </Group>
    </Alert>
  );
}
