import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import { readRecording } from '#test/statements.ts';
import { compare } from '../../../scripts/rows/compare.ts';
import { castsIn } from '../../../scripts/rows/declared.ts';
import * as queries from '../../../test/fixtures/rows/queries.ts';

const SERVER = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURE = 'test/fixtures/rows/';

const { database, close } = await openTestDatabase();
afterAll(close);

// The recording is that of the run on PostgreSQL.
test.runIf(inject('prepared').engine === 'postgres')(
  'rows whose declared type has a wrong name, a wrong type or no null are found',
  { tags: ['long'] },
  async () => {
    const { unchecked, wrongPrepared, ...run } = queries;
    for (const query of Object.values(run)) await query(database.db);
    await wrongPrepared(database);

    const casts = castsIn(`${SERVER}${FIXTURE}tsconfig.json`, SERVER, (path) => path.startsWith(FIXTURE));
    const { rows } = await readRecording(inject('recording').folder, process.pid);
    const result = compare(casts, rows);
    const excused = compare(casts, rows, { 'platform_user.manager_id': 'The test says so.' });

    expect(casts).toHaveLength(Object.keys(queries).length);
    expect(result.unchecked).toHaveLength(1);
    expect(result.differing.map((difference) => difference.replace(/^.*?:\d+:\d+: /, ''))).toEqual([
      'the row has no appName, only app_name',
      'at is declared as string, but returned as Date',
      'n is declared as string, but returned as number',
      'n is declared as string, but returned as number',
      'tags[] is declared as number, but returned as string',
      'policy has no title, only name, steps',
      'policy.steps[].action is declared as number, but returned as string',
      'name is declared as string, but returned as null',
      'manager_id is not declared as null, but platform_user.manager_id can be null',
      'body is declared as string, but returned as number',
      'many is declared as string, but returned as number',
      'one is declared as string, but returned as number',
      'value is declared as undefined or string, but returned as number',
      'value_of_many is declared as string, but returned as null',
    ]);
    expect(excused.differing).toHaveLength(result.differing.length - 1);
    expect([...excused.excused]).toEqual(['platform_user.manager_id']);
  },
);
