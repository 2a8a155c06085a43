import { t } from '@lingui/core/macro';
/** Ways to connect an app without a connector that the server runs. Their pages belong to other parts of the console. */
export const ELSEWHERE = {
  outside: {
    name: t`Runs elsewhere`,
    about: t`A connector that you run yourself: for a system that the server cannot reach, or with your code.`,
    address: (appId: string) => `/apps/${appId}?tab=overview`,
  },
  spreadsheet: {
    name: t`Spreadsheet`,
    about: t`You upload a CSV or XLSX file with the accounts.`,
    address: (appId: string) => `/apps/${appId}/upload`,
  },
  by_hand: {
    name: t`By hand`,
    about: t`You type or paste the names. People make the changes that no connector can make.`,
    address: (appId: string) => `/apps/${appId}/accounts`,
  },
} as const;

export type Elsewhere = keyof typeof ELSEWHERE;

export const isElsewhere = (type: string): type is Elsewhere => Object.hasOwn(ELSEWHERE, type);
