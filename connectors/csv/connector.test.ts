import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '@gatehouse/connector';
import { asTable, listAll, runConformance, startScriptedService } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { connector } from './connector.ts';
import { fixture } from './test/conformance.ts';

// How a run bears faults of the service is the same for each connector: conformance.test.ts shows it with the sample.
test('reads and writes as the kit demands', { timeout: 180_000 }, () =>
  conforms({ only: ['static', 'protocol.clean-run', 'protocol.resync-no-diff', 'read', 'write'] }),
);
test('conforms', { tags: ['long'], timeout: 180_000 }, () => conforms({}));

async function conforms(only: { only?: string[] }) {
  const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
  const stage = await fixture.start();
  try {
    const { records } = await listAll({ connector, stage });
    expect(records.get('account')?.slice(0, 2)).toMatchObject([
      { last_sign_in_at: '2026-05-01', owner: 'owner@acme.example', attributes: { city: 'Bern' } },
      { last_sign_in_at: '', owner: '', attributes: { city: 'Bern' } },
    ]);
    expect(records.get('group')?.[0]).toMatchObject({ risk: 'high', owner: 'owner@acme.example' });
    const findings = await runConformance({ connector, file, stage, writing: true, ...only });
    expect(
      findings.filter(({ outcome }) => outcome === 'failed'),
      asTable(findings),
    ).toEqual([]);
  } finally {
    await stage.stop();
  }
}

test('changes nothing after a file that was cut off, even at the end of a line', async () => {
  const service = await startScriptedService();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-csv-'));
  try {
    const app = service.world.createApp('files').id;
    const file = join(folder, 'accounts.csv');
    const sync = async (content: string | Buffer) => {
      await writeFile(file, content);
      const written: string[] = [];
      const into = { write: (text: string) => written.push(text) };
      const env = {
        CSV_ACCOUNTS: file,
        GATEHOUSE_URL: service.url,
        GATEHOUSE_API_KEY: service.key,
        GATEHOUSE_APP: app,
        GATEHOUSE_STATE_DIR: folder,
      };
      const { signal } = new AbortController();
      const terminal = { env, stdin: process.stdin, stdout: into, stderr: into, signal };
      return { code: await runCommandLine(connector, ['sync'], terminal), said: written.join('') };
    };
    const lines = Array.from({ length: 200 }, (_, n) => `a${n},person${n}@acme.example\n`);
    const header = 'id,email\n';
    expect(await sync(header + lines.join(''))).toMatchObject({ code: 0 });
    const before = service.world.inventory(app);
    const whole = await readFile(file);
    for (const [cut, why] of [
      [header + lines.slice(0, 150).join(''), /50 accounts fewer, all from the end of the list/],
      [whole.subarray(0, -3), /does not end with a line break/],
      [
        Buffer.concat([whole.subarray(0, 40), Buffer.from([0xfc]), whole.subarray(40)]),
        /line 3: it is not valid/,
      ],
    ] as const) {
      expect(await sync(cut)).toMatchObject({ code: 5, said: expect.stringMatching(why) });
      expect(service.world.inventory(app)).toEqual(before);
    }
    expect(await sync(header + lines.slice(20, 200).join(''))).toMatchObject({ code: 0 });
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
});

test('makes the ids of groups without a file from their names in NFC', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-csv-'));
  try {
    const list = async (form: 'NFC' | 'NFD', groups?: string) => {
      const accounts = join(folder, 'accounts.csv');
      const text = 'id,username,groups,attributes.Büro\nü,a,Köln;Köln,Bern\n';
      await writeFile(accounts, text.normalize(form));
      const settings = { accounts, ...(groups === undefined ? {} : { groups }) };
      const { records } = await listAll({ connector, stage: { settings, stop: async () => {} } });
      return records.get('account')?.[0];
    };
    for (const form of ['NFC', 'NFD'] as const)
      expect(await list(form)).toMatchObject({
        id: 'ü'.normalize(form),
        memberships: { group: [{ id: 'Köln'.normalize('NFC') }] },
        attributes: { ['büro'.normalize('NFC')]: 'Bern' },
      });
    const groups = join(folder, 'groups.csv');
    await writeFile(groups, 'id,name\nKöln,Köln\n'.normalize('NFD'));
    expect(await list('NFD', groups)).toMatchObject({
      memberships: { group: [{ id: 'Köln'.normalize('NFD') }] },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('refuses groups that are not ids', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-csv-'));
  try {
    const accounts = join(folder, 'accounts.jsonl');
    await writeFile(accounts, '{"id":"1","username":"a","groups":[{"id":"red"}]}\n');
    const list = listAll({ connector, stage: { settings: { accounts }, stop: async () => {} } });
    await expect(list).rejects.toThrow('{"id":"red"} is not the id of a group or license');
  } finally {
    await rm(folder, { recursive: true });
  }
});
