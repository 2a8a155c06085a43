import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError, detailOf } from '../../api/error.ts';
import { IconAlertTriangle } from '../icons/icons.ts';

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t`Something went wrong on this page`;
  if (error.status === 403) return t`Your role does not allow this`;
  if (error.status === 404) return t`Not found`;
  if (error.unreachable) return t`The server is not responding`;
  return t`Something went wrong`;
}

/** Shows why something could not be loaded, in the server's words. */
export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  const final = error instanceof ApiError && (error.status === 403 || error.status === 404);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={titleOf(error)}
      role="alert"
    >
      <Text size="sm">{detailOf(error)}</Text>
      {again !== undefined && !final && (
        <Group mt="xs">
          <Button variant="default" onClick={again}>
            {t`Retry`}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
