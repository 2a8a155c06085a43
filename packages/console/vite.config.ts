import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { languages } from './lingui.plugin.ts';
import { firstPage } from './scripts/first-page.ts';

const server = process.env.GATEHOUSE_DEV_SERVER ?? 'http://127.0.0.1:8080';
const key = process.env.GATEHOUSE_DEV_KEY;
const proxy = {
  target: server,
  // Only the dev server reads this key. It never reaches the build output.
  ...(key === undefined ? {} : { headers: { authorization: `Api-Key ${key}` } }),
};

/** Fills in the organization on the dev server. In production the Gatehouse server does this. */
const organization: Plugin = {
  name: 'gatehouse-organization',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html.replace('__ORG__', process.env.GATEHOUSE_ORG ?? 'acme').replace('__BASE__', ''),
};

const PRELOADED = new RegExp(`/src/app\\.tsx$|/${firstPage}$`);

/** The app is imported after its language is loaded, and imports the first page. Tells the browser to fetch their files in the meantime. */
const preloadApp: Plugin = {
  name: 'gatehouse-preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const files = new Set<string>();
      const add = (name: string) => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || files.has(name)) return;
        files.add(name);
        for (const imported of chunk.imports) add(imported);
      };
      for (const [name, chunk] of Object.entries(bundle))
        if (chunk.type === 'chunk' && chunk.moduleIds.some((id) => PRELOADED.test(id))) add(name);
      return [...files].map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
        injectTo: 'head',
      }));
    },
  },
};

/** Parts that run before the texts are loaded. */
const START = /src[\\/](main\.tsx|theme[\\/]styles\.ts|language[\\/]language\.ts)$|vite[\\/]preload-helper/;

/** Parts of packages that the files of this page use, and no others of the frame. */
const PACKAGES = /@tanstack[\\/](react-query|query-core)[\\/]|components[\\/]Skeleton[\\/]/;

type ModuleInfo = (id: string) => { importedIds: string[] } | null;

/** Returns a file and all of our files that it imports. Packages follow by themselves, without what nobody uses. */
function withImports(file: string, infoOf: ModuleInfo, files = new Set<string>()): Set<string> {
  if (files.has(file) || file.includes('node_modules')) return files;
  files.add(file);
  for (const imported of infoOf(file)?.importedIds ?? []) withImports(imported, infoOf, files);
  return files;
}

let firstFiles: Set<string> | undefined;
/** Names the group of a file that the frame or the first page needs: its own files, and the parts of all pages. */
function firstGroup(file: string, context: { getModuleInfo: ModuleInfo }): string | null {
  firstFiles ??= withImports(join(import.meta.dirname, firstPage), (id) => context.getModuleInfo(id));
  const isNeeded = firstFiles.has(file) || file.endsWith('/src/app.tsx') || PACKAGES.test(file);
  if (!isNeeded) return null;
  return isShared(file) ? 'app' : 'first-page';
}

/** Parts that only charts need: they are loaded with the first of them. */
const CHARTS =
  /node_modules[\\/](recharts|@mantine[\\/]charts|@reduxjs|immer|react-redux|redux|reselect|d3-|victory-vendor|es-toolkit|decimal\.js)/;

/** Files that are not of one page. */
const isShared = (file: string) => !/src[\\/]pages[\\/]/.test(file);

const JSX = '@gatehouse/console/jsx';

export default defineConfig({
  root: import.meta.dirname,
  // All text of a page is drawn through the console's own JSX runtime.
  plugins: [react({ jsxImportSource: JSX }), ...languages(), organization, preloadApp],
  resolve: {
    alias: ['jsx-runtime', 'jsx-dev-runtime'].map((file) => ({
      find: `${JSX}/${file}`,
      replacement: join(import.meta.dirname, `src/kit/text/jsx/${file}.ts`),
    })),
  },
  build: {
    outDir: 'dist',
    manifest: true,
    // The content security policy forbids inline scripts and data: modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Files import each other, and texts are loaded before the files with texts run.
        strictExecutionOrder: true,
        // The name of a file that several pages use would list all these pages.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          // A group holds the files that match, and all that these import. Few files load faster than many: each costs a request.
          groups: [
            { name: 'start', test: START, priority: 5 },
            { name: firstGroup, debugName: 'first', priority: 3 },
            { name: 'charts', test: CHARTS, priority: 0 },
            {
              name: 'kit',
              test: (file) => isShared(file) && !CHARTS.test(file),
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 12_000,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/org': proxy, '/openapi.json': proxy, '/docs': proxy } },
});
