import { readConfig } from '../config.ts';
import { isTaskError } from '../errors.ts';
import { type Check, must } from './check.ts';

const looksSecret = /pass(word|phrase)|secret|token|api_?key|private_?key|credential|connection_?string|dsn/i;

export const staticChecks: Check[] = [
  {
    id: 'static.identity',
    group: 'static',
    title: 'the connector has a name, a semantic version, and names for its types',
    async run({ connector }) {
      must(
        /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(connector.version),
        `"${connector.version}" is not a semantic version`,
      );
      const types = { ...connector.groups, ...connector.licenses, ...connector.accounts };
      for (const [slug, { name }] of Object.entries(types))
        must(name.trim() !== '', `resource type "${slug}" has no name`);
    },
  },
  {
    id: 'static.settings-described',
    group: 'static',
    title: 'every setting has a description',
    async run({ connector }) {
      for (const [name, field] of Object.entries(connector.config)) {
        must(field.description.trim().length >= 3, `setting "${name}" has no description`);
      }
    },
  },
  {
    id: 'static.secrets-declared',
    group: 'static',
    title: 'settings that hold secrets are declared as secrets',
    async run({ connector, stage }) {
      for (const [name, field] of Object.entries(connector.config)) {
        if (field.secret || field.kind !== 'text') continue;
        must(
          !looksSecret.test(name),
          `setting "${name}" looks like a secret but is not declared with secret()`,
        );
        const value = stage.settings[name];
        const holds = typeof value === 'string' && URL.canParse(value) && new URL(value).password !== '';
        must(!holds, `setting "${name}" contains a URL with a password, but is not declared with secret()`);
      }
    },
  },
  {
    id: 'static.missing-settings-refused',
    group: 'static',
    title: 'a missing setting is rejected before the connector does anything',
    skip: ({ connector }) =>
      Object.values(connector.config).some((field) => field.required) ? undefined : 'no setting is required',
    async run({ connector }) {
      const none = { flags: {}, env: {}, file: {}, stdin: {} };
      must(
        throws(() => readConfig(connector.name, connector.config, none)),
        'the connector accepted empty settings',
      );
    },
  },
  {
    id: 'static.secret-flags-refused',
    group: 'static',
    title: 'a secret is never read from a flag',
    skip: ({ connector }) =>
      Object.values(connector.config).some((field) => field.secret)
        ? undefined
        : 'the connector has no secrets',
    async run({ connector }) {
      for (const [name] of Object.entries(connector.config).filter(([, field]) => field.secret)) {
        const flagged = { flags: { [name]: 'x' }, env: {}, file: {}, stdin: {} };
        must(
          throws(() => readConfig(connector.name, connector.config, flagged)),
          `the secret "${name}" was read from a flag`,
        );
      }
    },
  },
  {
    id: 'static.map-error-total',
    group: 'static',
    title: 'mapError accepts any thrown value',
    skip: ({ connector }) => (connector.mapError ? undefined : 'the connector has no mapError'),
    async run({ connector }) {
      for (const thrown of [
        new Error('x'),
        new TypeError('x'),
        Object.assign(new Error('x'), { code: 42 }),
        'text',
        null,
        undefined,
        {},
      ]) {
        const mapped = connector.mapError?.(thrown);
        must(
          mapped === undefined || isTaskError(mapped),
          'mapError returned a value that is not a TaskError',
        );
      }
    },
  },
];

function throws(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
