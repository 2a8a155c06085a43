import { fileURLToPath } from 'node:url';
import { asTable, runConformance } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { fixture } from './conformance.ts';
import { connector } from './connector.ts';

test('conforms on a real PostgreSQL server', async () => {
  const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
  const stage = await fixture.start();
  try {
    const findings = await runConformance({ connector, file, stage, writing: true });
    expect(
      findings.filter(({ outcome }) => outcome !== 'passed'),
      asTable(findings),
    ).toEqual([]);
  } finally {
    await stage.stop();
  }
}, 180_000);
