import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { TaskAccount } from '@gatehouse/connector';
import { type Fixture, switchOf } from '@gatehouse/connector/conformance';
import express, { type Request, type Response } from 'express';

type User = {
  id: number;
  login: string;
  contact: { email: string };
  given: string;
  family: string;
  active: boolean;
  kind: 'person' | 'robot';
  used: string;
  department: string;
  plans: Set<number>;
  password?: string;
};

const plans = [
  { id: 1, name: 'Basic', seats: 0, price: 0 },
  { id: 2, name: 'Professional', seats: 1000, price: 9.5 },
  { id: 3, name: 'Enterprise', seats: 1000, price: 29 },
];
const definition = fileURLToPath(new URL('./conformance.yml', import.meta.url));

/**
 * Starts an application with a REST API, 105 users and tokens that expire after 50 uses. Its data is inspected directly. Run it with
 * `REST_DEFINITION=connectors/rest/test/conformance.yml gatehouse conformance connectors/rest/connector.ts --write --fixture
 * connectors/rest/test/conformance.ts`.
 */
export const fixture: Fixture = {
  async start() {
    const users = new Map<number, User>();
    const teams = new Map(['red', 'blue', 'green'].map((key) => [key, new Set<number>()]));
    const add = (login: string, kind: User['kind'] = 'person'): User => {
      const id = users.size + 9_007_199_254_740_000;
      const contact = { email: `${login}@acme.example` };
      const user: User = {
        id,
        login,
        contact,
        given: 'Given',
        family: login,
        active: true,
        kind,
        used: '2026-05-01T10:00:00Z',
        department: 'Sales',
        plans: new Set(),
      };
      users.set(id, user);
      return user;
    };
    for (let n = 0; n < 105; n++) {
      const { id, plans: held } = add(`person${n}`, n === 7 ? 'robot' : 'person');
      if (n % 50 === 0) held.add(2);
      if (n < 5) teams.get('red')?.add(id);
    }
    const mode = { ...noFault };
    const fault = (name: keyof typeof noFault) =>
      switchOf((on) => {
        mode[name] = on;
      });
    const api = application({ users, teams, add, mode });
    const server = await new Promise<Server>((resolve) => {
      const listening = api.listen(0, '127.0.0.1', () => resolve(listening));
    });
    const settings = {
      definition,
      BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CLIENT_ID: 'writer',
      CLIENT_SECRET: 'secret of writer',
      deliverTo: 'cat',
    };
    const user = (id: string) => users.get(Number(id));
    const newAccount = (n: number): TaskAccount => ({
      id: `ours-${n}`,
      username: `new${n}`,
      email: `new${n}@acme.example`,
      first_name: 'New',
      last_name: `N${n}`,
    });
    const faults = {
      pages: {
        repeat: fault('repeats'),
        cut: fault('isCut'),
        shift: fault('shifts'),
        shiftGroups: fault('shiftsTeams'),
        shiftMembers: fault('shiftsMembers'),
      },
      partial: {
        account: fault('hidesUser'),
        member: fault('hasStranger'),
        group: fault('hidesMembers'),
      },
      misfit: (n: number) => ({ ...newAccount(n), username: `${'x'.repeat(LONGEST_LOGIN)}${n}` }),
    };
    return {
      settings,
      weakSettings: { ...settings, CLIENT_ID: 'reader', CLIENT_SECRET: 'secret of reader' },
      newAccount,
      grants: ['red', 'blue'].map((id) => ({ slug: 'team', ref: { id } })),
      witness: {
        exists: async (id) => user(id) !== undefined,
        suspended: async (id) => user(id)?.active === false,
        holds: async (id, slug, ref) =>
          slug === 'team'
            ? (teams.get(ref)?.has(Number(id)) ?? false)
            : (user(id)?.plans.has(Number(ref)) ?? false),
        signsIn: async ({ id }, password) => user(id)?.password === password,
      },
      outage: fault('isDown'),
      html: fault('isHtml'),
      silence: fault('silent'),
      strangers: fault('ignoresFilters'),
      ...faults,
      async stop() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};

type Data = {
  users: Map<number, User>;
  teams: Map<string, Set<number>>;
  add(login: string): User;
  mode: typeof noFault;
};

const LONGEST_LOGIN = 64;

/**
 * Faults of the application: is down, answers with HTML, leaves out members of teams, ignores filters, has wrong lists of users, loses the
 * first team or the first member of one while its list is read, hides a user or the members of the first team, and has a member who is
 * not a user.
 */
const noFault = {
  isDown: false,
  isHtml: false,
  silent: false,
  ignoresFilters: false,
  repeats: false,
  isCut: false,
  shifts: false,
  shiftsTeams: false,
  shiftsMembers: false,
  hidesUser: false,
  hasStranger: false,
  hidesMembers: false,
};

/** A list with its faults. A repeated user takes the place of the last one. */
function faulty<T>(all: T[], { repeats, isCut, shifts }: typeof noFault): T[] {
  if (repeats) return [...all.slice(0, -1), ...all.slice(0, 1)];
  return all.slice(shifts ? 1 : 0, isCut ? -10 : undefined);
}

function application(data: Data) {
  const app = express();
  const tokens = new Map<string, { client: string; uses: number }>();
  app.use(express.json(), express.urlencoded());
  app.post('/token', (request, response) => {
    const [client, secret] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
      .toString()
      .split(':')
      .map(decodeURIComponent);
    const known = (client === 'writer' || client === 'reader') && secret === `secret of ${client}`;
    if (!known) return void response.status(401).json({ error: 'invalid_client' });
    const token = randomBytes(16).toString('hex');
    tokens.set(token, { client, uses: 50 });
    response.json({ access_token: token, token_type: 'Bearer', expires_in: 3600 });
  });
  app.use('/api', (request, response, next) => {
    const token = tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (data.mode.isHtml) response.status(404).type('html').send('<html><h1>Not Found</h1></html>');
    else if (data.mode.isDown) response.status(503).json({ message: 'down for maintenance' });
    else if (!token || token.uses-- <= 0) response.status(401).json({ message: 'the token has expired' });
    else if (request.method !== 'GET' && token.client !== 'writer')
      response.status(403).json({ message: 'this client may only read' });
    else next();
  });
  app.get('/api/me', (_, response) => void response.json({}));
  routesOfTeams(app, data);
  routesOfPlans(app, data);
  routesOfUsers(app, data);
  return app;
}

const missing = (response: Response) => void response.status(404).json({ message: 'not found' });

function routesOfTeams(app: express.Express, { teams, users, mode }: Data): void {
  app.get('/api/teams', (request, response) => {
    const page = Number(request.query.page ?? 1);
    const size = Number(request.query.per_page);
    const keys = [...teams.keys()].slice(mode.shiftsTeams ? 1 : 0);
    const all = keys.map((key) => ({ key, title: `Team ${key}` }));
    if (page * size < all.length)
      response.set('link', `<?per_page=${size}&page=${page + 1}>; title="a, b"; rel="next", </>; rel=first`);
    response.json(all.slice((page - 1) * size, page * size));
  });
  /** Whether the first page of a list of members was read while they shift. */
  let isShifted = false;
  app.get('/api/teams/:team/members', ({ params, query }, response) => {
    if (mode.silent) return void response.json({});
    if (mode.hidesMembers && params.team === 'red')
      return void response.status(403).json({ message: 'the members of this team are secret' });
    isShifted &&= mode.shiftsMembers;
    const all = [...(teams.get(params.team) ?? [])].slice(isShifted ? 1 : 0);
    if (mode.hasStranger && params.team === 'red') all.push(77);
    const from = Number(query.after ?? 0);
    if (from === 0 && params.team === 'red') isShifted = mode.shiftsMembers;
    const next = from + 3 < all.length ? { next_cursor: String(from + 3) } : {};
    response.json({ members: all.slice(from, from + 3).map((user_id) => ({ user_id })), ...next });
  });
  app.put('/api/teams/:team/members/:user', ({ params }, response) => {
    const team = teams.get(params.team);
    if (!team || !users.has(Number(params.user))) return missing(response);
    team.add(Number(params.user));
    response.status(204).end();
  });
  app.delete('/api/teams/:team/members/:user', ({ params }, response) => {
    if (!teams.get(params.team)?.delete(Number(params.user))) return missing(response);
    response.status(204).end();
  });
}

const findUser = ({ users }: Data, { params }: Request): User | undefined => users.get(Number(params.user));

function routesOfPlans(app: express.Express, data: Data): void {
  app.get('/api/plans', ({ query }, response) => {
    const start = Number(query.start);
    response.json({ items: plans.slice(start, start + Number(query.limit)) });
  });
  app.get('/api/users/:user/plans', (request, response) => {
    const user = findUser(data, request);
    if (!user) return missing(response);
    response.json([...user.plans].map((id) => ({ id })));
  });
  app.post('/api/users/:user/plans', (request, response) => {
    const user = findUser(data, request);
    if (!user) return missing(response);
    const plan = Number(request.body.plan);
    if (user.plans.has(plan)) return void response.status(422).json({ code: 'assigned' });
    user.plans.add(plan);
    response.status(201).json({});
  });
  app.delete('/api/users/:user/plans/:plan', (request, response) => {
    if (!findUser(data, request)?.plans.delete(Number(request.params.plan))) return missing(response);
    response.status(204).end();
  });
}

function routesOfUsers(app: express.Express, data: Data): void {
  const { users, teams, add, mode } = data;
  const shown = ({ plans: _, password: __, ...user }: User) => user;
  const isHidden = (user: User) => mode.hidesUser && user.login === 'person1';
  const withLogin = (login: unknown) => [...users.values()].filter((user) => user.login === login);
  app.get('/api/users', ({ query }, response) => {
    const { page = 1, per_page = 25, login } = query;
    const found =
      login === undefined || mode.ignoresFilters ? faulty([...users.values()], mode) : withLogin(login);
    const all = found.filter((user) => !isHidden(user));
    const from = (Number(page) - 1) * Number(per_page);
    response.json({ data: all.slice(from, from + Number(per_page)).map(shown), total: all.length });
  });
  app.get('/api/users/:user', (request, response) => {
    const user = findUser(data, request);
    if (!user) return missing(response);
    if (isHidden(user)) return void response.status(403).json({ message: 'this user is secret' });
    response.json(shown(user));
  });
  app.post('/api/users', ({ body }, response) => {
    if (String(body.login).length > LONGEST_LOGIN)
      return void response.status(400).json({ message: `a login has at most ${LONGEST_LOGIN} characters` });
    if (withLogin(body.login).length > 0)
      return void response.status(409).json({ message: 'login is taken' });
    const user = Object.assign(add(body.login), body);
    response.status(201).json({ user: { id: user.id } });
  });
  app.patch('/api/users/:user', (request, response) => {
    const user = findUser(data, request);
    if (!user) return missing(response);
    response.json(shown(Object.assign(user, request.body)));
  });
  app.delete('/api/users/:user', (request, response) => {
    const user = findUser(data, request);
    if (!user) return missing(response);
    users.delete(user.id);
    for (const team of teams.values()) team.delete(user.id);
    response.status(204).end();
  });
  const setActive = (active: boolean) => (request: Request, response: Response) => {
    const user = findUser(data, request);
    if (!user) return missing(response);
    if (user.active === active)
      return void response.status(400).json({ code: active ? 'active' : 'suspended' });
    user.active = active;
    response.json({});
  };
  app.post('/api/users/:user/suspension', setActive(false));
  app.delete('/api/users/:user/suspension', setActive(true));
  app.put('/api/users/:user/password', (request, response) => {
    const user = findUser(data, request);
    if (!user) return missing(response);
    user.password = request.body.password;
    response.json({});
  });
}
