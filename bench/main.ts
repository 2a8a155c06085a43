import type { Options, Use } from './kit/options.ts';

/**
 * `npm run bench [-- scenario ...] [-- --large | --small | --scale=0.1 | --statements | --only=way,way]`: each scenario measures a hot path
 * and its floor, the time that bare PostgreSQL needs for the same rows in the same run. Machines are noisy, so compare the ratios.
 */
const SCENARIOS = [
  'sync',
  'connector',
  'embedded',
  'events',
  'tasks',
  'console',
  'policies',
  'history',
  'replica',
  'overload',
  'event-loop',
  'idle',
  'neighbors',
  'first-page',
];
/** Scenarios that run only by name, because they take long or need more than Node. */
const ON_REQUEST = [
  'huge',
  'move',
  'cluster',
  'details',
  'find',
  'findings',
  'grants',
  'queries',
  'reviews',
  'organizations',
];

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const scale = process.argv.find((word) => word.startsWith('--scale='))?.slice('--scale='.length);
const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length);
const options: Options = {
  large: process.argv.includes('--large'),
  small: process.argv.includes('--small'),
  statements: process.argv.includes('--statements'),
  only: only?.split(',') ?? [],
  scale: scale === undefined ? undefined : Number(scale),
};
const names = [...SCENARIOS, ...ON_REQUEST];
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`Unknown scenario ${unknown}. The scenarios are: ${names.join(', ')}.`);
  process.exit(2);
}
for (const name of wanted.length === 0 ? SCENARIOS : wanted) {
  const scenario = (await import(`./${name}.ts`)) as { run(given: Options, use: Use): Promise<void> };
  console.log(`\n=== ${name}`);
  const started = new AsyncDisposableStack();
  try {
    await scenario.run(options, async (one) => started.use(await one));
  } finally {
    await started.disposeAsync();
  }
}
