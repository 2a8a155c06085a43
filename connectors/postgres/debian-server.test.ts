// @module-tag servers
import { fileURLToPath } from 'node:url';
import { asTable, runConformance } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { connector } from './connector.ts';
import { debianFixture } from './test/conformance.ts';
import { available } from './test/debian-server.ts';

// Debian 12 has PostgreSQL 15, where memberships have no options.
test.skipIf(!available)(
  "conforms on Debian's PostgreSQL (needs postgresql and root)",
  async () => {
    const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
    const stage = await debianFixture.start();
    try {
      const findings = await runConformance({ connector, file, stage, writing: true });
      const failed = findings.filter(({ outcome }) => outcome === 'failed');
      expect(failed, asTable(failed)).toEqual([]);
    } finally {
      await stage.stop();
    }
  },
  180_000,
);
