import { t } from '@lingui/core/macro';

/** "payroll_accounts-2026-11.csv" becomes "Payroll accounts". */
export function appNameOf(fileName: string): string {
  const words = fileName
    .replace(/\.[a-z]{2,4}$/i, '')
    .replaceAll(/[_\s]+|(?<=\p{L})-(?=\p{L})/gu, ' ')
    .replace(/[\s(-]*\d{4}[-. ]?\d{2}([-. ]?\d{2})?\)?$/, '')
    .trim();
  const name = words === '' ? t`Spreadsheet` : words;
  return `${name.slice(0, 1).toLocaleUpperCase()}${name.slice(1)}`.slice(0, 255);
}
