import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDatabase } from './test/testbed.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));

const run = (env: Record<string, string>, ...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [file, ...args],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
    );
  });

test('takes the definition from a setting, and its placeholders as further settings', async () => {
  const database = createDatabase(`create table users (id, name); insert into users values (1, 'ada')`);
  try {
    const definition = `${database.path}.yml`;
    const text = (column: string) => `
app_name: App
connect: { dsn: "sqlite:\${DB_PATH}" }
resource_types:
  person: { name: People, list: { query: SELECT * FROM users, map: { id: .id, display_name: ${column}, traits: { user: { login: .name } } } } }
`;
    writeFileSync(definition, text('.name'));
    const set = ['--set', `definition=${definition}`, '--set', `DB_PATH=${database.path}`];
    expect(await run({}, 'check', ...set)).toMatchObject({
      code: 0,
      said: expect.stringContaining('sql is reachable'),
    });
    const listed = await run({ SQL_DEFINITION: definition, SQL_DB_PATH: database.path }, 'list');
    expect(listed).toMatchObject({ code: 0, said: expect.stringContaining('"username":"ada"') });
    expect(await run({ SQL_DEFINITION: definition }, 'check')).toMatchObject({
      code: 2,
      said: expect.stringContaining('set SQL_DB_PATH'),
    });
    writeFileSync(definition, text('.nam + .e + f'));
    expect(await run({ SQL_DEFINITION: definition }, 'check')).toMatchObject({
      code: 2,
      said: expect.stringContaining(`${definition}:5:105: the variable f does not exist`),
    });
    writeFileSync(definition, text('.missing'));
    expect(await run({}, 'check', ...set)).toMatchObject({
      said: expect.stringContaining('no column "missing"'),
    });
  } finally {
    database.close();
  }
});

test('asks for a definition', async () => {
  expect(await run({ SQL_DEFINITION: '' }, 'check')).toMatchObject({
    code: 2,
    said: expect.stringContaining('set SQL_DEFINITION'),
  });
});
