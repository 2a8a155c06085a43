import { layersOf, ROOMS } from './scripts/rooms.ts';

const src = '^packages/server/src';
const test = '[.]test[.]ts$';

/** Features from the lowest on, each with its folder and the folders of the features on lower layers. */
const features = [];
for (const { name: room, layers } of ROOMS) {
  const inRoom = layers.length === 0 ? [[room]] : layers.map((layer) => Object.keys(layer));
  for (const layer of inRoom) {
    const lower = features.map(({ folder }) => folder);
    for (const name of layer)
      features.push({ name, folder: layers.length === 0 ? room : `${room}/${name}`, lower });
  }
}

/** The same of the layers in features. Of the files of its feature that are in no layer, a layer imports only sentences. */
const layersInFeatures = [];
for (const { name: room, layers } of ROOMS) {
  for (const [name, feature] of layers.flatMap((layer) => Object.entries(layer))) {
    const lower = [];
    for (const layer of layersOf(feature)) {
      const names = Object.keys(layer);
      for (const folder of names)
        layersInFeatures.push({ feature: `${room}/${name}`, folder, lower: [...lower] });
      lower.push(...names);
    }
  }
}
const layeredFeatures = Object.entries(Object.groupBy(layersInFeatures, ({ feature }) => feature));
const folders = features.map(({ folder }) => `${folder}/`).join('|');
const queries = `${src}/.*/queries/`;

/** A feature imports from its own folder and from lower layers, and nothing of the server else. */
const featureRules = features.map(({ name, folder, lower }) => ({
  name: `layer-of-${name}`,
  comment: `${name} imports from its own folder and from lower layers only (scripts/rooms.ts).`,
  severity: 'error',
  from: { path: `${src}/${folder}/`, pathNot: test },
  to: { path: `${src}/`, pathNot: [folder, ...lower].map((allowed) => `${src}/${allowed}/`) },
}));

const layerRules = layersInFeatures.map(({ feature, folder, lower }) => ({
  name: `layer-${folder}-of-${feature.replace('/', '-')}`,
  comment: `${folder} imports from its own folder and from lower layers of ${feature} only (scripts/rooms.ts).`,
  severity: 'error',
  from: { path: `${src}/${feature}/${folder}/`, pathNot: test },
  to: {
    path: `${src}/${feature}/`,
    pathNot: [...[folder, ...lower].map((name) => `${name}/`), '[^/]*sentences[.]ts$'].map(
      (allowed) => `${src}/${feature}/${allowed}`,
    ),
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...featureRules,
    ...layerRules,
    ...layeredFeatures.map(([feature, layers]) => ({
      name: `every-folder-of-${feature.replace('/', '-')}-has-a-layer`,
      comment: `Every folder of ${feature} needs a layer in scripts/rooms.ts.`,
      severity: 'error',
      from: {},
      to: { path: `${src}/${feature}/(?!(${layers.map(({ folder }) => folder).join('|')})/)[^/]+/` },
    })),
    {
      name: 'every-folder-has-a-layer',
      comment:
        'Every feature of packages/server/src needs a room and a layer in scripts/rooms.ts. The commands belong to cli.ts.',
      severity: 'error',
      from: {},
      to: { path: `${src}/(?!${folders}|commands/)[^/]+/` },
    },
    {
      name: 'queries-stay-home',
      comment: 'Call the rules and facts of another feature, never its queries.',
      severity: 'error',
      from: { path: `${src}/(${folders})` },
      to: { path: queries, pathNot: `${src}/$1` },
    },
    {
      name: 'queries-stay-home-from-outside',
      comment: 'Wiring and tests call rules and facts, never queries. Benchmarks explain statements.',
      severity: 'error',
      from: { pathNot: [`${src}/(${folders})`, '^bench/'] },
      to: { path: queries },
    },
    {
      name: 'routes-call-rules',
      comment: 'Routes call rules and facts, never queries. They import types of the rows that they show.',
      severity: 'error',
      from: { path: `${src}/.*/routes/`, pathNot: test },
      to: { path: queries, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rules-know-no-http',
      comment:
        'Rules, facts, filters and SQL import neither routes nor kit/http: a schema, a page or a version that they need is in kit or in a file of the feature.',
      severity: 'error',
      from: {
        path: `${src}/(?!kit/)[^/]+/`,
        // What serves HTTP beside routes: wiring, metrics, SCIM's errors, refused calls, and pages of records, which are read as they arrive.
        pathNot: [
          test,
          '/routes/',
          '/(feature|metrics|routes)[.]ts$',
          '/scim/(bulk|errors)[.]ts$',
          '/access/refusals[.]ts$',
          '/sync/(push|large-page|large-records)[.]ts$',
        ],
      },
      to: { path: ['/routes/', `${src}/kit/http/`] },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'Production code does not import tests or their helpers.',
      severity: 'error',
      from: { path: '^(packages/[^/]+/src|connectors)/', pathNot: [test, '/test/'] },
      to: { path: [test, '^(packages|connectors)/[^/]+/test/'] },
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
      from: {
        path: '^packages/console/src/(?!(api|pages)/)[^/]+/|^packages/console/src/pages/overview/',
      },
      to: {
        path: '^packages/console/src/pages/',
        dynamic: false,
        pathNot: '^packages/console/src/pages/(overview/|sign-in/|requests/ticket[.]ts|tasks/task[.]ts)',
      },
    },
    {
      name: 'addresses-have-no-texts',
      comment:
        'The router reads what addresses mean before the texts of pages are loaded: texts there stay English.',
      severity: 'error',
      from: { path: '^packages/console/src/pages/.*/search[.]ts$' },
      to: { path: '@lingui/' },
    },
    {
      name: 'kit-knows-no-feature',
      comment: 'Parts of the console that know the data of Gatehouse belong to a folder of their subject.',
      severity: 'error',
      from: { path: '^packages/console/src/kit/', pathNot: test },
      to: { path: '^packages/console/src/', pathNot: '^packages/console/src/(api|kit|language|theme)/' },
    },
    {
      name: 'server-stands-alone',
      comment: 'The server does not import its clients or connectors.',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: test },
      to: { path: '^(packages/(connector|cli|console)|connectors|demo|bench|scripts)/' },
    },
    {
      name: 'protocol-stands-alone',
      comment: 'What the server, the console and connectors share knows none of them.',
      severity: 'error',
      from: { path: '^packages/protocol/' },
      to: { path: '^(packages/(?!protocol/)|connectors|demo|bench|scripts)' },
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
      comment: 'Merge files that need each other, or move what they share to a third. Type imports count.',
      severity: 'error',
      from: {},
      to: { circular: true },
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
    exclude: { path: '(^|/)(dist|dist-[0-9]+|coverage)/' },
    builtInModules: { add: ['node:sqlite', 'node:test', 'node:sea'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
    cache: false,
  },
};
