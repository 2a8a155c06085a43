// @module-tag long

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import { createOrganization } from '#operate/organizations/create.ts';
import { freePort } from '../../connector/src/conformance/port.ts';
import { openRunFolder } from './keeper.ts';
import { secrets } from './secrets.ts';
import { collectOutput, ROOT, startService } from './service.ts';

const GUIDES = [
  'docs/guides/provisioning.md',
  'docs/guides/people.md',
  'docs/guides/policies.md',
  'docs/guides/requests.md',
  'docs/guides/reviews.md',
  'docs/guides/proof.md',
  'docs/guides/an-auditor-asks.md',
  'docs/guides/sign-in.md',
  'docs/guides/webhooks.md',
  'docs/guides/queries.md',
  'docs/guides/api.md',
];

const START = 'docs/guides/start-with-curl.md';

const OWNER = 'admin@acme.example';
const PASSWORD = 'correct horse battery staple';

/** The files and variables that a reader has before the first command of a guide. */
interface Reader {
  BASE: string;
  KEY: string;
}

/** Runs the commands of a guide as pasted, and returns what they print. */
async function paste(guide: string, reader: Reader): Promise<string> {
  const tour = bashBlocks(await readFile(join(ROOT, guide), 'utf8'));
  expect(tour).not.toBe('');
  const functions = guide === START ? '' : await functionsOfStart();
  const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', `${functions}\n${tour}`], {
    ...reader,
    OWNER,
    PASSWORD,
  });
  expect(code, output).toBe(0);
  return output;
}

test(`the commands in ${START} work as pasted on a fresh service`, {
  timeout: 180_000,
}, async () => {
  const output = await paste(START, await startAsNewUser());
  expect(output).toContain('all with a valid signature');
});

// They wait for what the service does in the background, so they run side by side.
describe.concurrent('the commands of a guide work as pasted', () => {
  /** The guides share a service, in which each has an organization of its own. */
  const readers: Record<string, Reader> = {};
  beforeAll(async () => {
    const folder = await openRunFolder();
    const options = { dataDir: join(folder.path, 'data') };
    const database = await openDatabase(options);
    await migrate(database);
    const keys: Record<string, string> = {};
    for (const slug of GUIDES.map(slugOf)) {
      const organization = { slug, name: slug, adminEmail: OWNER, adminPassword: PASSWORD };
      keys[slug] = await createOrganization(database.db, secrets, organization);
    }
    await database.close();
    const service = await startService({ database: options });
    for (const [slug, KEY] of Object.entries(keys))
      readers[slug] = { BASE: `${service.url}/org/${slug}`, KEY };
    return async () => {
      await service.stop();
      await folder.remove();
    };
  }, 120_000);

  test.for(GUIDES)('%s', { timeout: 180_000 }, async (guide) => {
    await paste(guide, readers[slugOf(guide)] as Reader);
  });
});

/** Starts a service as a new user does: on a missing folder, without a secret key. */
async function startAsNewUser() {
  const folder = await openRunFolder();
  onTestFinished(folder.remove);
  const smtpPort = await freePort();
  const service = await startService({
    database: { dataDir: join(folder.path, 'data') },
    environment: {
      GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
      // The demo receives the emails.
      GATEHOUSE_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      GATEHOUSE_MAIL_FROM: 'gatehouse@acme.example',
      GATEHOUSE_SECRET_KEY: '',
    },
    command: ['npm', 'start'],
  });
  onTestFinished(async () => {
    await service.stop();
  });
  return {
    BASE: `${service.url}/org/acme`,
    KEY: service.key,
    GATEHOUSE_DEMO_SMTP_PORT: String(smtpPort),
  };
}

function slugOf(guide: string): string {
  return basename(guide, '.md');
}

/** The functions that all other guides use. */
async function functionsOfStart(): Promise<string> {
  const text = await readFile(join(ROOT, START), 'utf8');
  const functions = bashBlocks(/^## Address, key and functions$.*?^## /ms.exec(text)?.[0] ?? '');
  expect(functions).toContain('api() {');
  return functions;
}

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
