import type { Detail } from '#log/notices/draft.ts';

/** Slack accepts 75 characters on a button. */
export const LONGEST_BUTTON = 75;
export const LONGEST_TITLE = 300;
export const LONGEST_LABEL = 100;
/** Slack accepts 10 fields in a section. */
export const MOST_DETAILS = 10;
const MOST_WARNINGS = 5;

/** Whether a detail is a field. Warnings stand in the text. */
export const isShown = ({ isWarning }: Detail): boolean => isWarning !== true;

export const warningsOf = (details: readonly Detail[]): string[] =>
  details
    .filter((detail) => !isShown(detail))
    .slice(0, MOST_WARNINGS)
    .map(({ text }) => `⚠ ${text}`);
