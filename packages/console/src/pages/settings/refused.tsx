import { Alert } from '@mantine/core';
import { detailOf } from '../../api/error.ts';

/** Beside the field: why it was refused, if it was. */
export function Refused({ error }: { error: unknown }) {
  return error === null ? null : (
    <Alert color="red" role="alert">
      {detailOf(error)}
    </Alert>
  );
}
