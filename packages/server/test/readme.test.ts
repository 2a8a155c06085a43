import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../connector/src/conformance/port.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { openDatabase } from '../src/platform/database/open.ts';
import { openRunFolder } from './keeper.ts';
import { collectOutput, ROOT, startService } from './service.ts';

const README = 'README.md';
const GUIDES = [
  README,
  'docs/provisioning.md',
  'docs/people.md',
  'docs/policies.md',
  'docs/requests.md',
  'docs/reviews.md',
  'docs/an-auditor-asks.md',
  'docs/sign-in.md',
  'docs/webhooks.md',
];

const PASSWORD = 'correct horse battery staple';

/** The README starts on a missing folder, like a new user. The other guides start on a copy of this one. */
let migrated: string;
beforeAll(async () => {
  const folder = await openRunFolder();
  migrated = join(folder.path, 'data');
  const database = await openDatabase({ dataDir: migrated });
  await migrate(database);
  await database.close();
  return folder.remove;
});

test.each(GUIDES)(
  'the commands in %s work as pasted on a fresh service',
  {
    timeout: 180_000,
  },
  async (guide) => {
    const tour = bashBlocks(await readFile(join(ROOT, guide), 'utf8'));
    expect(tour).not.toBe('');
    const folder = await openRunFolder();
    onTestFinished(folder.remove);
    const database = { dataDir: join(folder.path, 'data') };
    if (guide !== README) await cp(migrated, database.dataDir, { recursive: true });
    const smtpPort = await freePort();
    const service = await startService({
      database,
      environment: {
        GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
        // The demo in the README receives the emails.
        GATEHOUSE_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
        GATEHOUSE_MAIL_FROM: 'gatehouse@acme.example',
        // The README's reader sets no secret key.
        ...(guide === README ? { GATEHOUSE_SECRET_KEY: '' } : {}),
      },
      ...(guide === README ? { command: ['npm', 'start'] } : {}),
    });
    onTestFinished(async () => {
      await service.stop();
    });

    const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', tour], {
      BASE: `${service.url}/org/acme`,
      KEY: service.key,
      OWNER: 'admin@acme.example',
      PASSWORD,
      GATEHOUSE_DEMO_SMTP_PORT: String(smtpPort),
    });

    expect({ code, output }).toMatchObject({ code: 0 });
    if (guide === README) expect(output).toContain('all with a valid signature');
  },
);

function bashBlocks(markdown: string): string {
  return [...markdown.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n');
}

async function run(command: string, parameters: string[], environment: Record<string, string>) {
  const child = spawn(command, parameters, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}
