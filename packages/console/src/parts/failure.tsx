import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError, detailOf } from '../api/error.ts';

interface Props {
  error: unknown;
  /** Tries again. */
  again?: () => void;
}

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page';
  if (error.status === 403) return 'This is not for your role';
  if (error.status === 404) return 'There is nothing here';
  if (error.silent) return 'The server does not answer';
  return 'That did not work';
}

/** What happened, in the server's own words, instead of what should have been shown. */
export function Failure({ error, again }: Props) {
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
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
