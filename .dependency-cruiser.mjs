// The floors of the server (ARCHITECTURE.md). A feature imports from lower floors only, never from its own floor.
const floors = [
  { features: ['platform'] },
  { features: ['identity'] },
  { features: ['events'] },
  { features: ['access', 'people', 'webhooks'] },
  { features: ['apps', 'scim'] },
  { features: ['inventory'] },
  { features: ['sync', 'provisioning'] },
  { features: ['requests', 'reviews', 'policies', 'fulfilment', 'spreadsheets', 'connectors'] },
  { features: ['history', 'restore'] },
  { features: ['overview', 'team', 'notifications'] },
  { features: ['organizations', 'cluster'] },
];

const src = '^packages/server/src';
const all = floors.flatMap((floor) => floor.features);
const queries = `${src}/.*queries([.]ts$|/)`;
const test = '[.]test[.]ts$';

/** Forbids a feature to import from its own floor and from higher ones. */
function floorRules(floor, height) {
  return floor.features.map((feature) => {
    const others = floor.features.filter((other) => other !== feature);
    const forbidden = [...others, ...floors.slice(height + 1).flatMap((above) => above.features)];
    return {
      name: `floor-of-${feature}`,
      comment: `${feature} imports from lower floors and from its own folder only.`,
      severity: 'error',
      from: { path: `${src}/${feature}/`, pathNot: test },
      to: { path: `${src}/(${['[^/]+[.]ts$', ...forbidden.map((name) => `${name}/`)].join('|')})` },
    };
  });
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...floors.flatMap(floorRules),
    {
      name: 'every-folder-has-a-floor',
      comment: 'Every folder of packages/server/src needs a floor in this file.',
      severity: 'error',
      from: {},
      to: { path: `${src}/(?!(${all.join('|')})/)[^/]+/` },
    },
    {
      name: 'queries-stay-home',
      comment: 'Call the rules of another feature, never its queries.',
      severity: 'error',
      from: { path: `${src}/([^/]+)/` },
      to: { path: queries, pathNot: `${src}/$1/` },
    },
    {
      name: 'queries-stay-home-from-outside',
      comment: 'Wiring, tests and benchmarks call rules, never queries.',
      severity: 'error',
      from: { pathNot: `${src}/[^/]+/` },
      to: { path: queries },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'Production code does not import tests or their helpers.',
      severity: 'error',
      from: { path: '^(packages|connectors)/[^/]+/src/', pathNot: test },
      to: { path: [test, '^packages/[^/]+/test/'] },
    },
    {
      name: 'server-is-reached-by-http',
      comment: 'Connectors, the SDK, the CLI and the demo use the HTTP API, not the code of the server.',
      severity: 'error',
      from: {
        path: '^(packages/(connector|cli|console)|connectors|demo)/',
        // These run the server in process: one reads its routes, the other signs in to it.
        pathNot: '^packages/console/(scripts|test)/',
      },
      to: { path: '^packages/server/' },
    },
    {
      name: 'frame-has-its-texts',
      comment:
        'The frame of the console is translated before any page is. See packages/console/lingui.config.ts.',
      severity: 'error',
      from: { path: '^packages/console/src/(parts|shell|theme|language|pages/overview)/' },
      to: {
        path: '^packages/console/src/pages/',
        dynamic: false,
        pathNot: '^packages/console/src/pages/(overview/|sign-in/|requests/ticket[.]ts|tasks/task[.]ts)',
      },
    },
    {
      name: 'server-stands-alone',
      comment: 'The server does not import its clients or connectors.',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: test },
      to: { path: '^(packages/(connector|cli|console)|connectors|demo|bench|scripts)/' },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'Connectors and the CLI build on the SDK, not the other way round.',
      severity: 'error',
      from: { path: '^packages/connector/' },
      to: { path: '^(packages/(cli|console)|connectors|demo)/' },
    },
    {
      name: 'connectors-are-strangers',
      comment: 'A connector can be copied out of this repository by itself.',
      severity: 'error',
      from: { path: '^connectors/([^/]+)/' },
      to: { path: '^connectors/', pathNot: '^connectors/$1/' },
    },
    {
      name: 'no-cycles',
      comment:
        'Merge files that need each other, or move what they share to a third. Type imports may form cycles.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'imports-resolve',
      comment: 'An import names a file or a listed package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    builtInModules: { add: ['node:sqlite', 'node:test', 'node:sea'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
    cache: false,
  },
};
