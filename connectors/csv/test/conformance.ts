import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fixture } from '@gatehouse/connector/conformance';

/** Three files: 250 accounts, 3 groups, 1 license. */
export const fixture: Fixture = {
  async start() {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-csv-'));
    const settings = {
      accounts: join(folder, 'accounts.csv'),
      groups: join(folder, 'groups.csv'),
      licenses: join(folder, 'licenses.csv'),
    };
    const rows = Array.from(
      { length: 250 },
      (_, n) =>
        `a${n},person${n}@acme.example,"Last, ${n}",g${n % 3}${n % 5 ? '' : ';g1'},${n % 10 ? '' : 'pro'},${n % 2 ? ',' : '2026-05-01,owner@acme.example'},Bern`,
    );
    await writeFile(
      settings.accounts,
      ['\uFEFFid,email,last_name,groups,licenses,last_sign_in_at,owner,attributes.city', ...rows, ''].join(
        '\r\n',
      ),
    );
    await writeFile(
      settings.groups,
      [
        'id,name,description,risk,owner',
        ...[0, 1, 2].map((n) => `g${n},Group ${n},,high,owner@acme.example`),
        '',
      ].join('\n'),
    );
    await writeFile(settings.licenses, 'id,name,max_count\npro,Professional,50\n');
    const whole = 'whoever may read a file reads all of it';
    const faults = {
      partial: {
        account: whole,
        member: 'accounts name their groups, so a group has no other members',
        group: whole,
      },
      misfit: 'the connector creates no accounts',
    };
    return {
      ...faults,
      settings,
      async outage() {
        for (const file of Object.values(settings)) await rename(file, `${file}.away`);
        return async () => {
          for (const file of Object.values(settings)) await rename(`${file}.away`, file);
        };
      },
      stop: () => rm(folder, { recursive: true, force: true }),
    };
  },
};
