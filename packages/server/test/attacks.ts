import { randomUUID } from 'node:crypto';
import { until } from './until.ts';

/** A request that once stopped all others, the statuses it may have, and a function that prepares it and returns the function that sends it. */
type Attack = [name: string, expected: number[], prepare: () => () => Promise<number>];

const list = <T>(length: number, of: (n: number) => T): T[] => Array.from({ length }, (_, n) => of(n));
const object = (size: number, value: (n: number) => unknown, name = (n: number) => `s${n}`) =>
  Object.fromEntries(list(size, (n) => [name(n), value(n)]));
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const MB = 1024 * 1024;

const csv = (bytes: number, line: (n: number) => string, head: string) => {
  const lines = [head];
  for (let size = head.length, n = 0; ; n++) {
    const next = line(n);
    size += next.length + 1;
    if (size > bytes) return lines.join('\n');
    lines.push(next);
  }
};
const SLOW_CONDITION = list(
  20,
  (n) => `user.attributes.title.matches('(a|b|ab|${n})*(a|ba|${n})*c${n}')`,
).join(' || ');
const IMPORT = '/api/users/import/?dry_run=true';

/** Returns the requests for a server, whose organization is `acme`, and a function that prepares their app. */
export function attacksOn(server: () => { url: string; key: string }): {
  attacks: Attack[];
  openSession(): Promise<void>;
} {
  async function call(method: string, path: string, body?: string, type = 'application/json') {
    const service = server();
    const reply = await fetch(`${service.url}/org/acme${path}`, {
      method,
      headers: {
        authorization: `Api-Key ${service.key}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: reply.status, text: await reply.text() };
  }

  const send = (method: string, path: string, body: string, type?: string) => async () =>
    (await call(method, path, body, type)).status;

  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body.
  async function made(path: string, body: object): Promise<any> {
    const { status, text } = await call('POST', path, JSON.stringify(body));
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  let session = '';
  let appPath = '';

  /** An app with a group type, and an open sync session. */
  async function openSession() {
    const app = await made('/api/v1/bridge/apps/', { name: 'Attacked' });
    appPath = `/api/v1/bridge/apps/${app.id}`;
    await made(`${appPath}/resource-types/`, { slug: 'person', name: 'People', type: 'account' });
    await made(`${appPath}/resource-types/`, { slug: 'team', name: 'Teams', type: 'group' });
    for (let n = 0; n < 20; n++)
      await made(`${appPath}/resource-types/`, { slug: `s${n}`, name: `S${n}`, type: 'group' });
    session = (await made(`${appPath}/sync/`, {})).sync_id;
  }

  const push = (body: string) => send('PUT', `${appPath}/sync/${session}/person/`, body);

  const pageOf = (count: number, fields: (n: number) => object) =>
    JSON.stringify({
      records: list(count, (n) => ({ id: `p${n}`, email: `p${n}@x.example`, ...fields(n) })),
    });

  /** A page of 100 records as large as 32 MB allows. */
  const page32MB = (fields: (n: number) => object) => {
    const body = pageOf(100, fields);
    return body.length < 32 * MB ? body : body.slice(0, 32 * MB - 1);
  };

  const attacks: Attack[] = [
    [
      'API key with 90,000 scopes',
      [400],
      () =>
        send('POST', '/api/api-keys/', JSON.stringify({ name: 'x', scopes: list(90_000, (n) => `s${n}`) })),
    ],
    [
      'API key with 25,000 apps',
      [400],
      () => send('POST', '/api/api-keys/', JSON.stringify({ name: 'x', apps: list(25_000, uuid) })),
    ],
    [
      'API key with 260,000 numbers as scopes',
      [400],
      () => send('POST', '/api/api-keys/', JSON.stringify({ name: 'x', scopes: list(260_000, () => 1) })),
    ],
    [
      'ticket with 90,000 slugs',
      [400],
      () =>
        send(
          'POST',
          '/api/tickets/',
          JSON.stringify({
            app: uuid(1),
            user: uuid(1),
            type: 'grant',
            memberships: object(80_000, () => []),
          }),
        ),
    ],
    [
      'task with 90,000 changes of the wrong type',
      [400],
      () =>
        send(
          'POST',
          '/api/tasks/',
          JSON.stringify({ app: uuid(1), action: 'update_account', changes: object(90_000, () => 1) }),
        ),
    ],
    [
      'person with 90,000 attributes',
      [400],
      () =>
        send(
          'POST',
          '/api/users/',
          JSON.stringify({ email: 'wide@x.example', attributes: object(90_000, () => 1) }),
        ),
    ],
    [
      'person with an attribute of 900 KB',
      [400],
      () =>
        send(
          'POST',
          '/api/users/',
          JSON.stringify({ email: 'long@x.example', attributes: { a: 'x'.repeat(900_000) } }),
        ),
    ],
    [
      'attributes nested 20,000 deep',
      [400],
      () => send('POST', '/api/users/', `{"email":"deep@x.example","attributes":${nested(20_000)}}`),
    ],
    [
      'push nested 5,000,000 deep',
      [400],
      () => push(`{"records":[{"id":"1","email":"a","memberships":${nested(4_000_000)}}]}`),
    ],
    [
      'push of 32 MB with 100 memberships for each of 20 types',
      [200, 400],
      () =>
        push(
          page32MB((n) => ({
            memberships: object(20, () => list(100, (m) => ({ id: `${n}-${m}-`.padEnd(140, 'x') }))),
          })),
        ),
    ],
    [
      'push of 20 MB of descriptions in other scripts',
      [200, 400],
      () =>
        send(
          'PUT',
          `${appPath}/sync/${session}/team/`,
          JSON.stringify({
            records: list(100, (n) => ({ id: `t${n}`, name: 'T', description: 'ж'.repeat(100_000) })),
          }),
        ),
    ],
    [
      'push of 32 MB with very wide memberships',
      [400, 422],
      () =>
        push(
          `{"records":[{"id":"1","email":"a","memberships":{${list(2_200_000, (n) => `"s${n}":[]`).join(',')}}}]}`,
        ),
    ],
    [
      'push of 1 MB with very wide memberships',
      [400, 422],
      () =>
        push(
          `{"records":[{"id":"1","email":"a","memberships":{${list(80_000, (n) => `"s${n}":[]`).join(',')}}}]}`,
        ),
    ],
    [
      'push of 1 MB with many references to one type',
      [400],
      () =>
        push(
          `{"records":[{"id":"1","email":"a","memberships":{"team":[${list(90_000, () => '{"id":1}').join(',')}]}}]}`,
        ),
    ],
    [
      'push of 32 MB with lone surrogates',
      [400],
      () => push(`{"records":[${list(2_500_000, () => '"a",1').join(',')},"\\ud800"]}`),
    ],
    [
      'push of 32 MB of empty lists',
      [400],
      () => push(`{"records":[${list(10_000_000, () => '[]').join(',')}]}`),
    ],
    ['push of 32 MB that is not JSON', [400], () => push(`{"records":[${'"a",'.repeat(8_000_000)}`)],
    [
      'CSV of 16 MB with 100,000 people',
      [200],
      () =>
        send(
          'POST',
          IMPORT,
          csv(
            16 * MB,
            (n) => `p${n}@x.example,First${n},Last${n},Engineering,${'x'.repeat(130)}`,
            'email,first_name,last_name,department,note',
          ),
          'text/csv',
        ),
    ],
    [
      'CSV of 16 MB with rows of one cell',
      [400],
      () =>
        send(
          'POST',
          IMPORT,
          csv(16 * MB, () => 'a', 'email'),
          'text/csv',
        ),
    ],
    [
      'CSV with a million columns',
      [400],
      () =>
        send('POST', IMPORT, `email,${list(1_000_000, (n) => `c${n}`).join(',')}\na@x.example`, 'text/csv'),
    ],
    [
      'CSV with one cell of 16 MB',
      [400],
      () => send('POST', IMPORT, `email,a\na@x.example,"${'x'.repeat(16 * MB)}"`, 'text/csv'),
    ],
    [
      'matches on long text, for 300 people',
      [200],
      () => async () => {
        const title = 'ab'.repeat(2040);
        await call(
          'POST',
          '/api/users/import/',
          csv(3 * MB, (n) => `m${n}@x.example,${title}`, 'email,title'),
          'text/csv',
        );
        const { external_uuid } = await made('/api/policies/', {
          name: 'Attack',
          trigger: 'user.updated',
          condition: SLOW_CONDITION,
          enabled: false,
          effects: [{ do: 'grant', app: 'all' }],
        });
        return (await call('POST', `/api/policies/${external_uuid}/preview/`, undefined)).status;
      },
    ],
    [
      'the same matches, for a condition that is being written',
      [200],
      () => send('POST', '/api/policies/matches/', JSON.stringify({ condition: SLOW_CONDITION })),
    ],
    [
      'a slow condition for each of 1,000 apps and 3 people',
      [200],
      () => async () => {
        for (let n = 0; n < 50; n++)
          await Promise.all(list(20, () => made('/api/v1/bridge/apps/', { name: `App ${n}` })));
        for (let n = 0; n < 3; n++) {
          const title = 'ab'.repeat(2040);
          const { external_uuid } = await made('/api/users/', {
            email: `gone${randomUUID()}@x.example`,
            attributes: { title },
          });
          await made(`/api/users/${external_uuid}/deactivate/`, {});
        }
        const condition = `app.name == 'None' || ${SLOW_CONDITION}`;
        const question = { condition, trigger: 'user.deactivated' };
        return (await call('POST', '/api/policies/matches/', JSON.stringify(question))).status;
      },
    ],
    [
      'condition with a pattern of a huge program',
      [200, 400],
      () =>
        send(
          'POST',
          '/api/policies/check/',
          JSON.stringify({ condition: `user.email.matches('${'(\\\\pL{900})'.repeat(150)}')` }),
        ),
    ],
    [
      'condition nested as deep as it may be long',
      [200, 400],
      () =>
        send(
          'POST',
          '/api/policies/check/',
          JSON.stringify({ condition: `${'('.repeat(900)}true${')'.repeat(900)}` }),
        ),
    ],
    [
      'condition with 900 KB of text',
      [400],
      () => send('POST', '/api/policies/check/', JSON.stringify({ condition: 'a'.repeat(900_000) })),
    ],
    [
      'decision on 25,000 review items',
      [400, 404],
      () =>
        send(
          'POST',
          `/api/reviews/cycles/${uuid(1)}/decide/`,
          JSON.stringify({ decision: 'keep', items: list(25_000, uuid) }),
        ),
    ],
    [
      'publication of 5,000 accounts',
      [202],
      () => async () => {
        const started = await made(`${appPath}/sync/`, {}).catch(() => undefined);
        if (started === undefined) {
          await call('POST', `${appPath}/sync/${session}/abandon/`);
          session = (await made(`${appPath}/sync/`, {})).sync_id;
        } else session = started.sync_id;
        for (let start = 0; start < 5000; start += 100) {
          const records = list(100, (n) => ({ id: `p${start + n}`, email: `p${start + n}@x.example` }));
          await call('PUT', `${appPath}/sync/${session}/person/`, JSON.stringify({ records }));
        }
        const { status } = await call('POST', `${appPath}/sync/${session}/complete/`, undefined);
        await until(
          'the end of the publication',
          async () => JSON.parse((await call('GET', `${appPath}/sync/${session}/`)).text).status,
          (state) => !['completing', 'in_progress'].includes(state),
          { seconds: 200, everyMs: 50 },
        );
        return status;
      },
    ],
  ];

  return { attacks, openSession };
}
