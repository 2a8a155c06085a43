import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), organization],
  build: {
    outDir: 'dist',
    manifest: true,
    // The content security policy forbids inline scripts and data: modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/org': proxy, '/openapi.json': proxy, '/docs': proxy } },
});
