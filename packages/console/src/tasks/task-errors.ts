import { t } from '@lingui/core/macro';
import type { Query } from '../api/client.ts';

type ErrorCode = NonNullable<Query<'/api/tasks/'>['error_code']>;

/** The error codes of connectors (protocol 7.4). */
const ERROR_WORDS = {
  ACCOUNT_NOT_FOUND: t`Account not found`,
  ACCOUNT_ALREADY_EXISTS: t`Account already exists`,
  LICENSE_EXHAUSTED: t`No free seats`,
  PERMISSION_DENIED: t`Permission denied`,
  RATE_LIMITED: t`Rate limited`,
  TIMEOUT: t`Timed out`,
  INTERNAL_ERROR: t`Other error`,
} satisfies Record<ErrorCode, string>;

export const ERROR_CODES = Object.keys(ERROR_WORDS) as ErrorCode[];
export const errorWord = (code: string) => (ERROR_WORDS as Record<string, string>)[code] ?? code;
