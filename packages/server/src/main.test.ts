import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { startService } from '../test/service.ts';

async function newDatabase() {
  const { options, remove } = await createTestDatabase();
  onTestFinished(remove);
  return options;
}

test('SIGTERM ends it with 0, and the next start finds what was there', async () => {
  const database = await newDatabase();
  const first = await startService({ database });
  const created = await createApp(first, 'Payroll');

  const code = await first.stop();
  const second = await startService({ database, key: first.key });
  onTestFinished(() => second.kill());

  expect(code).toBe(0);
  expect(await appNames(second)).toEqual([created.name]);
  expect(second.output()).not.toContain('API key');
});

test('what it has answered survives a kill -9', async () => {
  const database = await newDatabase();
  const first = await startService({ database });
  const created = await createApp(first, 'Payroll');

  await first.kill();
  const second = await startService({ database, key: first.key });
  onTestFinished(() => second.kill());

  expect(await appNames(second)).toEqual([created.name]);
});

test('a second process is refused the folder of the first, in a sentence', async ({ skip }) => {
  const database = await newDatabase();
  skip(database.dataDir === undefined, 'PostgreSQL serves any number of processes');
  const first = await startService({ database });
  onTestFinished(() => first.kill());

  await expect(startService({ database })).rejects.toThrow(
    /^The service ended with 1:\nThe data folder \S+ is in use by another Gatehouse process\. .*\n$/,
  );
});

test('a setting that makes no sense is told in a sentence, and nothing else', async () => {
  const environment = { GATEHOUSE_ORG: 'Acme Inc.' };

  await expect(startService({ database: {}, environment })).rejects.toThrow(
    'The service ended with 1:\nGATEHOUSE_ORG must be 1 to 63 lower-case letters, digits and inner hyphens, not "Acme Inc.".\n',
  );
});

type Caller = { url: string; key: string };

async function createApp({ url, key }: Caller, name: string): Promise<{ name: string }> {
  const answer = await fetch(`${url}/org/acme/api/v1/bridge/apps/`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { name: string };
}

async function appNames({ url, key }: Caller): Promise<string[]> {
  const answer = await fetch(`${url}/org/acme/api/v1/bridge/apps/`, {
    headers: { authorization: `Api-Key ${key}` },
  });
  const { results } = (await answer.json()) as { results: { name: string }[] };
  return results.map(({ name }) => name);
}
