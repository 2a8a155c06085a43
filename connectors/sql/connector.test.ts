import { fileURLToPath } from 'node:url';
import { asTable, runConformance } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { connectorFrom } from './build.ts';
import { readDefinition } from './definition.ts';
import { definition, fixture } from './test/conformance.ts';

test('conforms with a definition for PostgreSQL', { tags: ['long'], timeout: 300_000 }, async () => {
  const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
  const connector = connectorFrom(readDefinition(definition), { name: 'sql' });
  const stage = await fixture.start();
  try {
    const findings = await runConformance({ connector, file, stage, writing: true });
    expect(
      findings.filter(({ outcome }) => outcome !== 'passed').map(({ id, detail }) => `${id}: ${detail}`),
      asTable(findings),
    ).toEqual([
      'read.html-is-an-error: the fixture has no html()',
      'read.missing-memberships: the fixture has no silence()',
      'read.missing-status: the fixture has no blindness()',
      'read.repeated-records: the fixture has no pages',
      'read.missing-tail: the fixture has no pages',
      'read.changed-while-read: the fixture has no pages',
      'read.groups-changed-while-read: the fixture has no pages.shiftGroups()',
      'read.members-changed-while-read: the fixture has no pages.shiftMembers()',
      'read.partial-account: whoever may read a table reads all of its rows',
      'read.partial-group: whoever may read a table reads all of its rows',
      'write.name-refused: the table accepts every text as a login',
      'write.html-is-not-gone: the fixture has no html()',
    ]);
  } finally {
    await stage.stop();
  }
});
