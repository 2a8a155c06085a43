/**
 * `npm run bench [-- scenario ...] [-- --large | --small]`: each scenario measures a hot path and its floor, the time that bare
 * PostgreSQL needs for the same rows in the same run. Machines are noisy, so compare the ratios.
 */
const SCENARIOS = [
  'sync',
  'embedded',
  'events',
  'tasks',
  'console',
  'policies',
  'history',
  'replica',
  'overload',
];

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options = { large: process.argv.includes('--large'), small: process.argv.includes('--small') };
const unknown = wanted.find((name) => !SCENARIOS.includes(name));
if (unknown !== undefined) {
  console.error(`Unknown scenario ${unknown}. The scenarios are: ${SCENARIOS.join(', ')}.`);
  process.exit(2);
}
for (const name of wanted.length === 0 ? SCENARIOS : wanted) {
  const scenario = (await import(`./${name}.ts`)) as {
    run(options: { large: boolean; small: boolean }): Promise<void>;
  };
  console.log(`\n=== ${name}`);
  await scenario.run(options);
}
