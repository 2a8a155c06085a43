import { Alert } from '@mantine/core';
import { detailOf } from '../../api/error.ts';

export type Failure = Error | string | null | undefined;

/** The error of a form or an action that belongs to no field. */
export function FormFailure({ of: failure }: { of: Failure }) {
  if (failure == null) return null;
  return (
    <Alert color="red" role="alert">
      {detailOf(failure)}
    </Alert>
  );
}
