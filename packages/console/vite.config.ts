import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { languages } from './lingui.plugin.ts';

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

/** The app is imported after its language is loaded. Tells the browser to fetch its files in the meantime. */
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
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/src/app.tsx')) add(name);
      return [...files].map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
        injectTo: 'head',
      }));
    },
  },
};

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
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A group holds the files that match, and all that these import.
          groups: [
            { name: 'language', test: /language[\\/]language\.ts$|vite[\\/]preload-helper/, priority: 3 },
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 2 },
            { name: 'app', test: /src[\\/]app\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/org': proxy, '/openapi.json': proxy, '/docs': proxy } },
});
