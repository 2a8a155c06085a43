/** The marks of well-known applications, by name in lower case without spaces. */
export { MARKS as ICONS } from './app-marks.ts';

/** Other names of the same applications. */
export const ALIASES: Readonly<Record<string, string>> = {
  gcp: 'googlecloud',
  googleworkspace: 'google',
  postgres: 'postgresql',
};
