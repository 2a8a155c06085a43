import { join, relative } from 'node:path';
import { createCompiledCatalog } from '@lingui/cli/api';
import type { Plugin } from 'vite';
import {
  APP,
  filesBefore,
  laterFiles,
  ON_DEMAND,
  resolved,
  showServerText,
  translationsByFile,
  translationsOf,
} from './scripts/texts-of-files.ts';

const ROOT = import.meta.dirname;
const LOCALES = ['de'];
const CATALOGS = ['frame', 'pages'];
export const TEXTS = 'virtual:texts/';

/**
 * Loads what a file needs that the first page does not: before each import on demand its translations, whatever catalog they are in, and
 * with it the styles that are not in the first style sheet. `import('./find.tsx')` becomes `withTexts(…, () => import('./find.tsx'))`
 * (src/language/language.ts).
 */
export function onDemand(): Plugin {
  let later: ReadonlySet<string> = new Set();
  const catalogOf = (locale: string) => (name: string) => join(ROOT, `src/language/${name}/${locale}.po`);
  const byFile = new Map<string, ReturnType<typeof translationsByFile>>();
  const textsBefore = async (locale: string, file: string) => {
    const all = byFile.get(locale) ?? translationsByFile(locale, CATALOGS.map(catalogOf(locale)));
    byFile.set(locale, all);
    return translationsOf(filesBefore(file), await all);
  };
  const withTexts = async (code: string, from: string) => {
    const needed = new Map<string, string>();
    for (const [call, to = ''] of code.matchAll(ON_DEMAND)) {
      const file = resolved(from, to);
      const loaders: string[] = [];
      for (const locale of LOCALES)
        if (Object.keys(await textsBefore(locale, file)).length > 0)
          loaders.push(`${locale}: () => import('${TEXTS}${locale}/${file}')`);
      const showsServer = file !== APP && showServerText(file).length > 0;
      if (loaders.length > 0 || showsServer)
        needed.set(call, `withTextsOf({ ${loaders.join(', ')} }, ${showsServer}, () => ${call})`);
    }
    if (needed.size === 0) return undefined;
    const loading = code.replace(ON_DEMAND, (call) => needed.get(call) ?? call);
    return `${loading}\nimport { withTexts as withTextsOf } from '${join(ROOT, 'src/language/language.ts')}';\n`;
  };
  return {
    name: 'gatehouse-on-demand',
    enforce: 'pre',
    buildStart() {
      byFile.clear();
      later = laterFiles();
    },
    // The name is not that of the file, whose place in the build differs.
    resolveId: {
      filter: { id: /^virtual:texts/ },
      handler: (id) => `\0${id}.js`,
    },
    load: {
      filter: { id: /virtual:texts/ },
      async handler(id) {
        const [, locale = '', file = ''] = /virtual:texts\/([^/]+)\/(.+)\.js$/.exec(id) ?? [];
        for (const name of CATALOGS) this.addWatchFile(catalogOf(locale)(name));
        const messages = await textsBefore(locale, file);
        const { source, errors } = createCompiledCatalog(locale, messages, { namespace: 'es' });
        const [error] = errors;
        if (error !== undefined) throw error.error;
        return { code: source, moduleType: 'js' };
      },
    },
    transform: {
      filter: { id: /\/src\/.+\.tsx?$/ },
      async handler(code, id) {
        const file = relative(ROOT, id).replaceAll('\\', '/');
        if (!file.startsWith('src/')) return undefined;
        const styles = later.has(file) ? `import '${join(ROOT, 'src/theme/more-styles.ts')}'; ` : '';
        const loading = code.includes('import(') ? await withTexts(code, file) : undefined;
        return styles === '' && loading === undefined ? undefined : styles + (loading ?? code);
      },
    },
  };
}
