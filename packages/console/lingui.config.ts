import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** The texts that the first page needs; those of all other pages are loaded with the first of them. */
const FRAME = [
  'access',
  'apps',
  'conditions',
  'events',
  'history',
  'holds',
  'kit',
  'language',
  'pages/overview',
  'pages/requests/ticket.ts',
  'pages/sign-in',
  'pages/tasks/task.ts',
  'people',
  'shell',
  'sign-in',
  'tasks',
  'theme',
];
const inside = (folders: string[]) => folders.map((folder) => `<rootDir>/src/${folder}`);

export default defineConfig({
  sourceLocale: 'en',
  // English is in the source, so it has no catalogs.
  locales: ['de'],
  catalogs: [
    {
      path: '<rootDir>/src/language/frame/{locale}',
      include: [...inside(FRAME), '<rootDir>/src/*.tsx'],
    },
    {
      path: '<rootDir>/src/language/pages/{locale}',
      include: inside(['pages']),
      exclude: inside(FRAME),
    },
  ],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
});
