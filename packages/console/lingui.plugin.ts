import { fileURLToPath } from 'node:url';
import { getConfig } from '@lingui/conf';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import './scripts/event-sentences.ts';
import './scripts/icons.ts';

/**
 * Replaces the macros of Lingui, such as t and Trans, and compiles the catalogs. English is the text in the source, so it
 * stays in the program. We use Babel because the faster plug-in of Lingui cannot be installed with npm on Node.js 20.
 */
export function languages() {
  const configPath = fileURLToPath(new URL('lingui.config.ts', import.meta.url));
  const macro = [
    '@lingui/babel-plugin-lingui-macro',
    { descriptorFields: 'message', linguiConfig: getConfig({ configPath }) },
  ];
  return [
    lingui({ configPath }),
    babel({
      sourceMap: false,
      presets: [
        {
          preset: { plugins: [macro] },
          rolldown: { filter: { code: /from '@lingui\/(?:core|react)\/macro'/ } },
        },
      ],
    }),
  ];
}
