import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { languages } from './lingui.plugin.ts';
import { firstCards, firstPage } from './scripts/first-page.ts';
import { onDemand, TEXTS } from './texts.plugin.ts';

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

const HELPER = '\0vite/preload-helper.js';

/** Loads the files of a part before it is imported (src/kit/browser/preload.ts), instead of announcing them by links. */
const loadFirst: Plugin = {
  name: 'gatehouse-load-first',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id === HELPER
      ? `export { loadFirst as __vitePreload } from ${JSON.stringify(join(import.meta.dirname, 'src/kit/browser/preload.ts'))};`
      : null,
};

/** Parts that run before the texts are loaded. */
const START =
  /src[\\/](main\.tsx|theme[\\/]styles\.ts|language[\\/]language\.ts)$|vite[\\/]preload-helper|browser[\\/]preload\.ts$/;

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

/** Returns files and all of our files that they import. */
function allFiles(files: readonly string[], context: Context): ReadonlySet<string> {
  const all = new Set<string>();
  for (const file of files)
    withImports(join(import.meta.dirname, file), (id) => context.getModuleInfo(id), all);
  return all;
}

interface Context {
  getModuleInfo: ModuleInfo;
}

/** Style sheets. Those of the first page and its cards are one file, and all others another one. */
const STYLES = /\.css$/;
let firstStyles: ReadonlySet<string> | undefined;
function startGroup(file: string, context: Context): string | null {
  firstStyles ??= allFiles(['src/app.tsx', firstPage, ...firstCards], context);
  return START.test(file) || (STYLES.test(file) && firstStyles.has(file)) ? 'start' : null;
}

let firstFiles: ReadonlySet<string> | undefined;
/** Names the group of a file that the frame or the first page needs. */
function firstGroup(file: string, context: Context): string | null {
  firstFiles ??= allFiles([firstPage], context);
  const isNeeded = firstFiles.has(file) || file.endsWith('/src/app.tsx') || PACKAGES.test(file);
  return isNeeded ? 'app' : null;
}

let cardFiles: ReadonlySet<string> | undefined;
/** Names the group of a file that a card of the first page needs. */
function cardGroup(file: string, context: Context): string | null {
  cardFiles ??= allFiles(firstCards, context);
  return cardFiles.has(file) ? 'cards' : null;
}

let signInFiles: ReadonlySet<string> | undefined;
/** Names the group of a file that the page for signing in needs, which are those of forms. */
function signInGroup(file: string, context: Context): string | null {
  signInFiles ??= allFiles(['src/pages/sign-in/sign-in-page.tsx'], context);
  return signInFiles.has(file) ? 'sign-in' : null;
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
  plugins: [loadFirst, react({ jsxImportSource: JSX }), ...languages(), onDemand(), organization, preloadApp],
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
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Files import each other, and texts are loaded before the files with texts run.
        strictExecutionOrder: true,
        // The name of a file that several pages use would list all these pages.
        chunkFileNames: ({ name, facadeModuleId }) =>
          facadeModuleId?.startsWith(`\0${TEXTS}`)
            ? `assets/${facadeModuleId.slice(TEXTS.length + 1).split('/')[0]}-[hash].js`
            : `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          // A group holds the files that match, and all that these import. Few files load faster than many: each costs a request.
          groups: [
            { name: startGroup, debugName: 'start', priority: 5 },
            { name: 'styles', test: /\.css$|src[\\/]theme[\\/]more-styles\.ts$/, priority: 4 },
            { name: firstGroup, debugName: 'first', priority: 3 },
            { name: cardGroup, debugName: 'cards', priority: 2 },
            { name: signInGroup, debugName: 'sign-in', priority: 2 },
            {
              name: 'server-words',
              test: /src[\\/](server-words|kit[\\/]text[\\/]field-words)\.ts$/,
              priority: 2,
            },
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
