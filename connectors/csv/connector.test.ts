import { fileURLToPath } from 'node:url';
import { asTable, listAll, runConformance } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { fixture } from './conformance.ts';
import { connector } from './connector.ts';

test('conforms', async () => {
  const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
  const stage = await fixture.start();
  try {
    const { records } = await listAll({ connector, stage });
    expect(records.get('account')?.slice(0, 2)).toMatchObject([
      { last_sign_in_at: '2026-05-01', owner: 'owner@acme.example', attributes: { city: 'Bern' } },
      { last_sign_in_at: '', owner: '', attributes: { city: 'Bern' } },
    ]);
    expect(records.get('group')?.[0]).toMatchObject({ risk: 'high', owner: 'owner@acme.example' });
    const findings = await runConformance({ connector, file, stage, writing: true });
    expect(
      findings.filter(({ outcome }) => outcome === 'failed'),
      asTable(findings),
    ).toEqual([]);
  } finally {
    await stage.stop();
  }
}, 180_000);
