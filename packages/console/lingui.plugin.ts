import { fileURLToPath } from 'node:url';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import './scripts/event-sentences.ts';
import './scripts/icons.ts';

interface Literal {
  type: string;
  name?: string;
  value?: unknown;
}

interface ObjectPath {
  node: {
    leadingComments?: { value: string }[] | null;
    properties: { key?: Literal; value?: Literal }[];
  };
}

/**
 * Compiles the English messages, as the catalogs are compiled, so that a browser needs no parser.
 */
const compiledMessages = ({ template }: { template: { expression: { ast(code: string): Literal } } }) => ({
  visitor: {
    ObjectExpression({ node }: ObjectPath) {
      if (!node.leadingComments?.some(({ value }) => value.includes('i18n'))) return;
      const message = node.properties.find(({ key }) => key?.name === 'message');
      if (message?.value?.type !== 'StringLiteral') return;
      const compiled = compileMessage(String(message.value.value));
      const isPlain = compiled.every((token) => typeof token === 'string');
      message.value = template.expression.ast(JSON.stringify(isPlain ? compiled.join('') : compiled));
    },
  },
});

/**
 * Replaces the macros of Lingui, such as t and Trans, and compiles the messages and the catalogs. English is the text in the source, so it
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
          preset: { plugins: [macro, compiledMessages] },
          rolldown: { filter: { code: /from '@lingui\/(?:core|react)\/macro'/ } },
        },
      ],
    }),
  ];
}
