import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { broken } from '../../test/sample/broken.ts';
import { connector } from '../../test/sample/connector.ts';
import { fixture } from '../../test/sample/fixture.ts';
import { asJUnit, asTable, type Finding, runConformance } from './index.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../test/sample/${name}`, import.meta.url));

async function findings(subject: typeof connector, file: string, only?: string[]): Promise<Finding[]> {
  const stage = await fixture.start();
  try {
    return await runConformance({
      connector: subject,
      file,
      stage,
      writing: true,
      ...(only ? { only } : {}),
    });
  } finally {
    await stage.stop();
  }
}

describe('the kit', () => {
  afterEach(() => {
    delete process.env.SAMPLE_BREAKAGE;
  });

  test('passes the correct connector and lists the skipped checks', async () => {
    const found = await findings(connector, fileOf('connector.ts'));
    expect(found.filter(({ outcome }) => outcome !== 'passed')).toEqual([
      expect.objectContaining({
        id: 'static.map-error-total',
        outcome: 'skipped',
        detail: 'the connector has no mapError',
      }),
    ]);
  });

  test.each(Object.entries(broken))(
    'finds the connector that %s',
    async (name, { caughtBy, connector: subject }) => {
      process.env.SAMPLE_BREAKAGE = name;
      const [found] = await findings(subject, fileOf('broken.ts'), [caughtBy]);
      expect(found).toMatchObject({ id: caughtBy, outcome: 'failed' });
    },
  );

  test('shows why a system cannot have a fault', async () => {
    const stage = await fixture.start();
    const partial = { account: 'the API returns every account to every key' };
    const misfit = 'the directory accepts every name';
    try {
      const found = await runConformance({
        ...{ connector, file: fileOf('connector.ts'), writing: true },
        stage: { ...stage, partial, misfit },
        only: ['read.partial-', 'write.name-refused'],
      });
      expect(found.map(({ id, outcome, detail }) => [id, outcome, detail])).toEqual([
        ['read.partial-account', 'skipped', partial.account],
        ['read.partial-member', 'skipped', 'the fixture has no partial.member()'],
        ['read.partial-group', 'skipped', 'the fixture has no partial.group()'],
        ['write.name-refused', 'skipped', misfit],
      ]);
    } finally {
      await stage.stop();
    }
  });

  test('formats findings as a table and as JUnit', () => {
    const found: Finding[] = [
      { id: 'a.b', group: 'static', title: 'is <fine>', outcome: 'failed', detail: 'not "so"', ms: 12 },
      { id: 'a.c', group: 'static', title: 'is', outcome: 'passed', detail: '', ms: 1 },
    ];
    expect(asTable(found)).toBe(
      'FAIL  a.b  is <fine>: not "so"\nok    a.c  is\n\n1 passed, 1 failed, 0 skipped',
    );
    expect(asJUnit('x', found)).toContain(
      '<testcase classname="x.static" name="a.b: is &lt;fine&gt;" time="0.012"><failure message="not &quot;so&quot;"/></testcase>',
    );
  });
});
