// @module-tag long
import { expect, onTestFinished, test } from 'vitest';
import { openCgroup } from '#test/cgroup.ts';
import { createTestDatabase } from '#test/database.ts';
import { remote } from '#test/remote.ts';
import { startService } from '#test/service.ts';
import { addSyncedApp } from '#test/sync.ts';

const LIMIT_MEGABYTES = 768;
const PAGES = 3;

const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => one(i)).join(',');
const page = (number: number, more: (index: number) => string) =>
  `{"records":[${many(100, (n) => `{"id":"${number}-${n}","email":"p${number}-${n}@acme.example",${more(n)}}`)}]}`;
const list = (count: number, more: string) => `[${many(count, (id) => `{"id":"g${id}"${more}}`)}]`;
const longName = `,"name":"${'n'.repeat(500)}"`;

/** Pages of up to 21 MB, and the status that they get. JSON.parse needs the most memory for the last ones. */
const KINDS: [name: string, status: number, bodyOf: (number: number) => string][] = [
  [
    'references with long names',
    200,
    (number) =>
      page(
        number,
        () =>
          `"memberships":{"team":${list(100, longName)},"channel":${list(100, longName)}},"assignments":{"seat":${list(100, longName)}}`,
      ),
  ],
  [
    'a million references to groups that the app does not have',
    422,
    (number) => {
      const lists = many(100, (slug) => `"t${slug}":${list(100, '')}`);
      return page(number, () => `"memberships":{${lists}}`);
    },
  ],
  [
    'a record with a million fields that Gatehouse does not know',
    200,
    (number) =>
      page(number, (n) => `"unknown":{${n > 0 ? '' : many(1_400_000, (field) => `"k${field}":1`)}}`),
  ],
  [
    'a text of 21 MB',
    200,
    (number) => page(number, (n) => `"unknown":"${n > 0 ? '' : 'ü'.repeat(10_500_000)}"`),
  ],
];

test.for(KINDS)(
  `three pages at the same time leave a server in ${LIMIT_MEGABYTES} MB alive: %s`,
  { timeout: 300_000 },
  async ([, status, bodyOf], { annotate, skip }) => {
    const cgroup = await openCgroup(LIMIT_MEGABYTES);
    if (cgroup === undefined) return skip('This user cannot create control groups. Run the test as root.');
    onTestFinished(cgroup.remove);
    const { options, remove } = await createTestDatabase();
    onTestFinished(remove);
    const service = await startService({
      database: options,
      environment: { GATEHOUSE_RATE_LIMITS: 'off' },
      command: cgroup.command(process.execPath, 'packages/server/src/main.ts'),
    });
    onTestFinished(service.kill);
    const app = await addSyncedApp(remote(service.url, service.key));
    const address = `${service.url}/org/acme/api/v1/bridge/apps/${app.id}/sync/${await app.start()}/person/`;
    const bodies = Array.from({ length: PAGES }, (_, number) => bodyOf(number));

    const replies = await Promise.all(
      bodies.map(async (body) => {
        const headers = { authorization: `Api-Key ${service.key}`, 'content-type': 'application/json' };
        const reply = await fetch(address, { method: 'PUT', headers, body });
        return { status: reply.status, text: await reply.text() };
      }),
    );

    expect(replies.map((reply) => (reply.status === status ? status : reply.text))).toEqual(
      bodies.map(() => status),
    );
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await annotate(
      `${bodies[0]?.length} bytes: at most ${await cgroup.peakMegabytes()} MB of ${LIMIT_MEGABYTES}.`,
    );
  },
);
