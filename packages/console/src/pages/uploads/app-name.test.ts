import { expect, test } from 'vitest';
import { appNameOf } from './app-name.ts';

test.each([
  ['payroll.csv', 'Payroll'],
  ['payroll_accounts-2026-11.csv', 'Payroll accounts'],
  ['crm-users 20261130.XLSX', 'Crm users'],
  ['Q3-plan.xlsx', 'Q3-plan'],
  ['2026-11-30.csv', 'Spreadsheet'],
  ['.csv', 'Spreadsheet'],
  ['Ärzte (2026-11-30).csv', 'Ärzte'],
])('names the app of %s %s', (file, name) => {
  expect(appNameOf(file)).toBe(name);
});
