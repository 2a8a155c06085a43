import type { Api } from './api.ts';
import { apiWithKey, until } from './api.ts';
import type { ConsoleTest } from './harness.ts';
import { STAFF } from './seed-company.ts';

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** The IDs and addresses of what `seedOperations` adds. */
export type Operations = Awaited<ReturnType<typeof seedOperations>>;

interface Options {
  /** The connection strings of a PostgreSQL server: one that works, and one with a wrong password. */
  system: { right: string; wrong: string };
  /** The address of a receiver of webhooks. */
  receiver: string;
}

/** Adds spreadsheets, tasks by hand, connectors with runs, groups, twins, webhooks and channels to the seeded company. */
export async function seedOperations(
  { api, base, seeded, apiAs }: Pick<ConsoleTest, 'api' | 'base' | 'seeded' | 'apiAs'>,
  { system, receiver }: Options,
) {
  const owner = await apiAs('owner');
  const idOf = (email: string) => seeded.people[email] ?? '';
  const addApp = async (name: string): Promise<string> =>
    (await api.post('/api/v1/bridge/apps/', { name })).id;
  return {
    uploads: await upload(api, await addApp('Parking permits')),
    byHand: await workByHand(api, await addApp('Door badges'), await apiAs('member'), idOf),
    connectors: await connect(api, addApp, system),
    group: await pushGroups(owner, base, idOf),
    twins: await addTwins(api),
    webhook: await addWebhook(api, receiver),
    channel: (
      await owner.post('/api/notifications/channels/', {
        type: 'slack',
        name: '#access-operations',
        url: `${receiver}services/T0KEN`,
        kinds: ['task_failed'],
      })
    ).id as string,
    heldApp: await holdTasks(api, seeded.apps.directory),
    keyOwner: await ownKey(await apiAs('admin'), idOf(STAFF.admin)),
  };
}

const SHEET = [
  'Kennung;E-Mail;Vorname;Nachname;Zustand;Zonen;Kennzeichen',
  '4711;marta.silva@acme.example;Marta;Silva;an;North car park, Courtyard;B-MS 1234',
  '4712;jonas.weber@acme.example;Jonas;Weber;an;Courtyard;B-JW 77',
  '4713;hugo.garnier@acme.example;Hugo;Garnier;aus;;',
].join('\n');

/** Returns the addresses of uploads, in each state that the wizard shows. */
async function upload(api: Api, app: string) {
  const path = `/api/apps/${app}/uploads/`;
  const send = async (target: string, text: string, name: string) =>
    api.postCsv(`${target}?file_name=${encodeURIComponent(name)}`, text);
  const check = async (
    target: string,
    { upload_id, suggestion }: { upload_id: string; suggestion: object },
  ) => {
    await api.post(`${target}${upload_id}/check/`, {
      mapping: { ...suggestion, statuses: { an: 'active', aus: 'inactive' } },
    });
    return until(
      () => api.get(`${target}${upload_id}/`),
      ({ status }) => status !== 'checking',
    );
  };
  const page = ({ upload_id }: { upload_id: string }) => `/apps/${app}/upload?upload=${upload_id}`;
  const applied = await check(path, await send(path, SHEET, 'parking-2026-10.csv'));
  await api.post(`${path}${applied.upload_id}/apply/`);
  await until(
    () => api.get(`/api/accounts/?app=${app}`),
    ({ count }) => count === 3,
  );
  const next = `${SHEET.replace('B-JW 77', 'B-JW 78').replace(/\n4713.*/, '')}\n4714;zoe.new@acme.example;Zoe;New;an;Courtyard;`;
  const wrong = `${SHEET.replace('jonas.weber@acme.example', 'jonas.weber').replace(';an;', ';vielleicht;')}\n4711;twice@acme.example;Marta;Twice;an;;`;
  const people = '/api/users/uploads/';
  const staff =
    'email,first_name,last_name,department,start date\nmarta.silva@acme.example,Marta,Silva-Costa,Sales,2024-02-01\nfinn.berg@acme.example,Finn,Berg,Support,2026-12-01';
  return {
    app,
    columns: page(await send(path, SHEET.replace('Kennzeichen', 'Stellplatz'), 'parking-2026-11.csv')),
    planned: page(await check(path, await send(path, next, 'parking-2026-12.csv'))),
    invalid: page(await check(path, await send(path, wrong, 'parking-by-hand.csv'))),
    applied: page(applied),
    people: `/people/upload?upload=${(await check(people, await send(people, staff, 'staff.csv'))).upload_id}`,
  };
}

/** Makes an app whose tasks the member carries out. Returns its ID and those of an open and an ended task. */
async function workByHand(api: Api, app: string, member: Api, idOf: (email: string) => string) {
  await api.post(`/api/v1/bridge/apps/${app}/resource-types/`, {
    slug: 'zone',
    name: 'Zones',
    type: 'group',
  });
  await api.post(`/api/v1/bridge/apps/${app}/resource-types/`, {
    slug: 'badge',
    name: 'Badges',
    type: 'account',
  });
  await api.patch(`/api/apps/${app}/`, { owner: idOf(STAFF.admin) });
  const settings = await api.get(`/api/apps/${app}/fulfillment/`);
  await api.put(`/api/apps/${app}/fulfillment/`, {
    ...settings,
    enabled: true,
    people: [idOf(STAFF.member)],
    instructions: {
      create_account:
        '1. Open the badge station in room 114.\n2. Print a badge for {{first_name}} {{last_name}} ({{email}}).',
    },
  });
  for (const [first_name, last_name] of [
    ['Ilse', 'Aichinger'],
    ['Noor', 'van den Heuvel-Montgomery'],
    ['Tomasz', 'Zieliński'],
  ]) {
    const email = `${first_name}.${last_name?.split(' ').at(-1)}@acme.example`
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^\w.@-]/g, '');
    const { external_uuid: user } = await api.post('/api/users/', { first_name, last_name, email });
    await api.post('/api/tasks/', {
      app,
      user,
      action: 'create_account',
      reason: 'Starts in the Lisbon office',
    });
  }
  const { results } = await until(
    () => member.get('/api/fulfillment/tasks/?mine=true'),
    ({ count }) => count >= 3,
  );
  const [open, done, refused] = (results as { task: { external_uuid: string } }[]).map(
    ({ task }) => task.external_uuid,
  );
  await member.post(`/api/fulfillment/tasks/${done}/complete/`, {
    account_id: 'BADGE-0815',
    note: 'Printed at the station. The badge is in the mail room.',
  });
  await member.post(`/api/fulfillment/tasks/${refused}/refuse/`, {
    code: 'LICENSE_EXHAUSTED',
    message: 'The badge printer is out of cards until Thursday.',
  });
  return { app, open: open ?? '', done: done ?? '', refused: refused ?? '' };
}

/** Returns apps whose connector works, fails, and waits for its setup. */
async function connect(
  api: Api,
  addApp: (name: string) => Promise<string>,
  { right, wrong }: Options['system'],
) {
  const add = async (name: string, url: string, kinds: string[], more: object) => {
    const app = await addApp(name);
    const path = `/api/apps/${app}/connector/`;
    await api.post(path, { type: 'postgres', secrets: { url }, ...more });
    for (const kind of kinds) {
      const { id } = await api.post(...trialOf(path, kind));
      await until(
        () => api.get(`${path}runs/${id}/`),
        ({ ended_at }) => ended_at !== null,
      );
    }
    return app;
  };
  const hourly = { schedule: { every_minutes: 60 } };
  return {
    working: await add('Warehouse', right, ['test', 'preview', 'sync'], hourly),
    failing: await add('Ledger', wrong, ['test', 'sync'], hourly),
    unfinished: await add('Archive', right, [], { paused: true }),
  };
}

const trialOf = (path: string, kind: string): [string, object?] =>
  kind === 'test' || kind === 'preview' ? [`${path}${kind}/`] : [`${path}run/`, { kind }];

async function pushGroups(owner: Api, base: string, idOf: (email: string) => string): Promise<string> {
  const { key } = await owner.post('/api/api-keys/', { name: 'Identity provider', scopes: ['scim'] });
  const members = ['ines.duarte@acme.example', 'hugo.garnier@acme.example'].map((email) => ({
    value: idOf(email),
  }));
  const push = async (displayName: string, of: object[]) =>
    (await apiWithKey(base, key).post('/scim/v2/Groups', { schemas: [GROUP], displayName, members: of })).id;
  await push('Contractors without members', []);
  return push('Support team of the Lisbon office', members);
}

/** Returns two people with the same name. Two others are dismissed as different people. */
async function addTwins(api: Api): Promise<[string, string]> {
  const add = async (first_name: string, email: string): Promise<string> =>
    (await api.post('/api/users/', { first_name, last_name: 'Twin', email })).external_uuid;
  const twins: [string, string] = [
    await add('Dora', 'dora.twin@acme.example'),
    await add('Dora', 'dora.twin@other.example'),
  ];
  await api.post('/api/users/', { email: 'dora.report@acme.example', manager: twins[1] });
  const users = [await add('Emil', 'emil.twin@acme.example'), await add('Emil', 'emil.twin@other.example')];
  await api.post('/api/users/duplicates/dismissed/', { users });
  return twins;
}

/** Returns a webhook with deliveries. */
async function addWebhook(api: Api, url: string): Promise<string> {
  const { id } = await api.post('/api/webhooks/', {
    name: 'Directory mirror',
    url,
    filters: { event_type_prefix: 'user.' },
  });
  await api.post('/api/users/', { email: 'delivered@acme.example' });
  await until(
    () => api.get(`/api/webhooks/${id}/deliveries/`),
    ({ results }) => results.length > 0,
  );
  return id;
}

/** Deletes more accounts of an app than it may lose in a day. */
async function holdTasks(api: Api, app: string): Promise<string> {
  await api.patch(`/api/apps/${app}/`, { removal_guard: { percent: 1, at_least: 1 } });
  const { results } = await api.get(`/api/accounts/?app=${app}&status=ACTIVE&limit=20`);
  for (const { external_uuid: account } of results.slice(0, 8))
    await api.post('/api/tasks/', { app, action: 'delete_account', account, reason: 'Contract ended' });
  return app;
}

async function ownKey(admin: Api, person: string): Promise<string> {
  for (const name of ['Payroll connector', 'Nightly export'])
    await admin.post('/api/api-keys/', { name, scopes: ['read'] });
  return person;
}
