import { Alert } from '@mantine/core';

/** The error of a form that belongs to none of its fields. */
export function FormFailure({ of: message }: { of: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Alert color="red" role="alert">
      {message}
    </Alert>
  );
}
