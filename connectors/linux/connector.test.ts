import { fileURLToPath } from 'node:url';
import { asTable, listAll, runConformance } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { available, fixture } from './conformance.ts';
import { connector } from './connector.ts';

test.skipIf(!available)(
  'conforms (needs root and useradd)',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
    const stage = await fixture.start();
    try {
      const [account] = (await listAll({ connector, stage })).records.get('user') ?? [];
      expect(account).toMatchObject({ username: 'person0', attributes: { uid: 1000, shell: '/bin/sh' } });
      const findings = await runConformance({ connector, file, stage, writing: true });
      expect(
        findings.filter(({ outcome }) => outcome === 'failed'),
        asTable(findings),
      ).toEqual([]);
    } finally {
      await stage.stop();
    }
  },
);
