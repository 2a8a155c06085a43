/** The error codes of a failed task (protocol 7.4). */
export const TASK_ERROR_CODES = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ALREADY_EXISTS',
  'LICENSE_EXHAUSTED',
  'PERMISSION_DENIED',
  'RATE_LIMITED',
  'TIMEOUT',
  'INTERNAL_ERROR',
] as const;
export type TaskErrorCode = (typeof TASK_ERROR_CODES)[number];
