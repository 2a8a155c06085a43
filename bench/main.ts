/**
 * `npm run bench [-- scenario ...] [-- --large]`: each scenario measures a hot path and its floor, the time that bare
 * PostgreSQL needs for the same rows in the same run. Machines are noisy, so compare the ratios.
 */
const SCENARIOS = ['sync', 'embedded', 'events', 'tasks', 'console', 'policies'];

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const large = process.argv.includes('--large');
const unknown = wanted.find((name) => !SCENARIOS.includes(name));
if (unknown !== undefined) {
  console.error(`Unknown scenario ${unknown}. The scenarios are: ${SCENARIOS.join(', ')}.`);
  process.exit(2);
}
for (const name of wanted.length === 0 ? SCENARIOS : wanted) {
  const scenario = (await import(`./${name}.ts`)) as { run(options: { large: boolean }): Promise<void> };
  console.log(`\n=== ${name}`);
  await scenario.run({ large });
}
