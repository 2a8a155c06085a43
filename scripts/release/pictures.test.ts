import { expect, test } from 'vitest';
import { pictureProblems, routeOf, sourcesOf } from './pictures.ts';

const files: Record<string, string> = {
  'router.tsx': `page('/apps', () => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
    page('/apps/new', () => import('./pages/apps/new-page.tsx'), 'NewPage'),
    page(
      '/apps/$appId',
      () => import('./pages/apps/app-page.tsx'), 'AppPage'),`,
  'pages/apps/apps-page.tsx': `import { row } from './row.tsx';\nimport { Table } from '../../kit/table.tsx';`,
  'pages/apps/app-page.tsx': `const Tab = lazy(() => import('./tab.tsx'));`,
  'pages/apps/row.tsx': 'row',
  'pages/apps/tab.tsx': 'tab',
  'kit/table.tsx': 'table',
};
const without = (change: Record<string, string>) => (path: string) => ({ ...files, ...change })[path];
const read = without({});

test('finds the route of an address', () => {
  expect(routeOf('/apps?tab=all', read)).toBe('/apps');
  expect(routeOf('/apps/new', read)).toBe('/apps/new');
  expect(routeOf('/apps/0199a000', read)).toBe('/apps/$appId');
  expect(() => routeOf('/nothing', read)).toThrow('no page at /nothing');
});

test('a picture is old once a file of its page changes, and not with shared controls', () => {
  const taken = { list: { page: '/apps', sources: sourcesOf('/apps', read) ?? '' } };
  const problems = (change: Record<string, string>) => pictureProblems(['list'], taken, without(change));
  expect(problems({})).toEqual([]);
  expect(problems({ 'kit/table.tsx': 'other' })).toEqual([]);
  expect(problems({ 'pages/apps/tab.tsx': 'other' })).toEqual([]);
  expect(problems({ 'pages/apps/row.tsx': 'other' })).toEqual([
    'docs/console/list.png is older than the page /apps.',
  ]);
  expect(problems({ 'router.tsx': '' })).toEqual([
    'docs/console/list.png shows /apps, which does not exist.',
  ]);
});

test('parts that are loaded on demand belong to the page', () => {
  expect(sourcesOf('/apps/$appId', without({ 'pages/apps/tab.tsx': 'other' }))).not.toBe(
    sourcesOf('/apps/$appId', read),
  );
});

test('reports pictures without an entry, and entries without a picture', () => {
  const taken = { gone: { page: '/apps', sources: '' } };
  expect(pictureProblems(['new'], taken, read)).toEqual([
    'docs/console/new.png is not in pictures.json.',
    'docs/console/gone.png does not exist.',
  ]);
});
