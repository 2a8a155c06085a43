import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TaskAccount } from '@gatehouse/connector';
import { type Fixture, switchOf } from '@gatehouse/connector/conformance';
import express from 'express';
import SCIMMY from 'scimmy';
import SCIMMYRouters from 'scimmy-routers';

type Stored = {
  id: string;
  password?: string;
  active?: unknown;
  members?: { value: string }[];
  entitlements?: { value: string }[];
  userName?: string;
} & Record<string, unknown>;

/** Starts an application with SCIM by `scimmy-routers`, with 150 users and 105 groups in memory, which are inspected directly. */
export const fixture: Fixture = {
  async start() {
    const users = new Map<string, Stored>();
    const groups = new Map<string, Stored>();
    for (let n = 0; n < 150; n++) {
      const id = `u${n}`;
      const entitlements = n % 10 === 0 ? [{ value: 'pro', display: 'Professional' }] : [];
      users.set(id, {
        id,
        userName: `person${n}`,
        active: true,
        title: 'Engineer',
        userType: 'Contractor',
        entitlements,
        emails: [{ value: `person${n}@acme.example`, primary: true }],
      });
    }
    const members = ['u1', 'u2', 'u3'].map((value) => ({ value }));
    groups.set('red', { id: 'red', displayName: 'Red', members });
    groups.set('blue', { id: 'blue', displayName: 'Blue', members: [] });
    for (let n = 2; n < 105; n++)
      groups.set(`g${n}`, { id: `g${n}`, displayName: `Group ${n}`, members: n === 104 ? members : [] });
    declare(SCIMMY.Resources.User, users);
    declare(SCIMMY.Resources.Group, groups);

    // This application stores passwords; SCIMMY announces the opposite by default.
    SCIMMY.Config.set('changePassword', true);
    let down = false;
    let html = false;
    const app = express();
    app.use('/scim', (request, response, next) => {
      if (html) response.status(404).type('html').send('<html><h1>Not Found</h1></html>');
      else if (down) response.status(503).json({ detail: 'down for maintenance' });
      else if (request.method !== 'GET' && request.header('authorization') === 'Bearer reader-token') {
        response.status(403).json({ detail: 'this token may only read' });
      } else {
        // Express 5 parses the query at each access, which loses the paging numbers that scimmy-routers puts there.
        Object.defineProperty(request, 'query', { value: { ...request.query } });
        next();
      }
    });
    app.use('/scim', new SCIMMYRouters({ type: 'bearer', handler: authenticate }));
    const server = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim`;
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
        shiftGroups: fault('shiftsGroups'),
        shiftMembers: 'SCIM shows the members of a group with it, in one response',
      },
      partial: { account: fault('hidesUser'), member: fault('hasStranger'), group: fault('hidesMembers') },
      misfit: (n: number) => ({ ...newAccount(n), username: `${'x'.repeat(LONGEST_NAME)}${n}` }),
    };
    return {
      settings: { url, token: 'writer-token', deliverTo: 'cat' },
      weakSettings: { url, token: 'reader-token', deliverTo: 'cat' },
      newAccount,
      grants: ['red', 'blue'].map((id) => ({ slug: 'group', ref: { id } })),
      witness: {
        exists: async (id) => users.has(id),
        suspended: async (id) => users.get(id)?.active === false,
        holds: async (id, slug, ref) =>
          slug === 'group'
            ? (groups.get(ref)?.members?.some(({ value }) => value === id) ?? false)
            : (users.get(id)?.entitlements?.some(({ value }) => value === ref) ?? false),
        signsIn: async ({ id }, password) => users.get(id)?.password === password,
      },
      outage: switchOf((on) => {
        down = on;
      }),
      html: switchOf((on) => {
        html = on;
      }),
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

function authenticate(request: express.Request): string {
  const [, name] = /^Bearer (writer|reader)-token$/.exec(request.header('authorization') ?? '') ?? [];
  if (!name) throw new Error('Authorization not detected!');
  return name;
}

const LONGEST_NAME = 64;

/**
 * Faults of the application: leaves out members of groups, ignores filters, has wrong lists, loses the first group, hides a user or the
 * members of the first group, and has a member who is not a user.
 */
const mode = {
  silent: false,
  ignoresFilters: false,
  repeats: false,
  isCut: false,
  shifts: false,
  shiftsGroups: false,
  hidesUser: false,
  hasStranger: false,
  hidesMembers: false,
};
const fault = (name: keyof typeof mode) =>
  switchOf((on) => {
    mode[name] = on;
  });

/** A list with its faults. A repeated resource takes the place of the last one. */
function faulty<T>(all: T[]): T[] {
  if (mode.repeats) return [...all.slice(0, -1), ...all.slice(0, 1)];
  return all.slice(mode.shifts ? 1 : 0, mode.isCut ? -10 : undefined);
}

let declared = new Map<unknown, Map<string, Stored>>();

/** SCIMMY registers resource types once per process, so a second stage only replaces their data. */
function declare(
  type: typeof SCIMMY.Resources.User | typeof SCIMMY.Resources.Group,
  store: Map<string, Stored>,
): void {
  const known = declared.has(type);
  declared = new Map(declared).set(type, store);
  if (known) return;
  const stored = () => declared.get(type) ?? store;
  const isUsers = type === SCIMMY.Resources.User;
  const listed = <T>(all: T[]) => (isUsers ? faulty(all) : all.slice(mode.shiftsGroups ? 1 : 0));
  /** A user or group as the application shows it, or undefined. */
  const seen = ({ members, ...rest }: Stored): Stored[] => {
    if (isUsers) return mode.hidesUser && rest.id === 'u1' ? [] : [rest];
    const isFirst = rest.id === 'red';
    if (mode.silent || members === undefined || (mode.hidesMembers && isFirst)) return [rest];
    return [
      { ...rest, members: mode.hasStranger && isFirst ? [...members, { value: 'stranger' }] : members },
    ];
  };
  const missing = (id: string | undefined) => new SCIMMY.Types.Error(404, '', `Resource ${id} not found`);
  SCIMMY.Resources.declare(type, {
    egress: async (resource: { id?: string; filter?: { match(all: unknown[]): unknown[] } }) => {
      const shown = [...stored().values()].flatMap(seen);
      if (resource.id === undefined)
        return resource.filter && !mode.ignoresFilters ? resource.filter.match(shown) : listed(shown);
      const found = shown.find(({ id }) => id === resource.id);
      if (found) return found;
      if (stored().has(resource.id)) throw new SCIMMY.Types.Error(403, '', 'this user is secret');
      throw missing(resource.id);
    },
    ingress: async (resource: { id?: string }, instance: object) => {
      const now = JSON.parse(JSON.stringify(instance)) as Partial<Stored>;
      if (resource.id !== undefined && !stored().has(resource.id)) throw missing(resource.id);
      if ((now.userName?.length ?? 0) > LONGEST_NAME)
        throw new SCIMMY.Types.Error(
          400,
          'invalidValue',
          `userName has more than ${LONGEST_NAME} characters`,
        );
      const id = resource.id ?? crypto.randomUUID();
      const same = [...stored().values()].some(
        (each) => each.userName !== undefined && each.userName === now.userName && each.id !== id,
      );
      if (same) throw new SCIMMY.Types.Error(409, 'uniqueness', 'userName is taken');
      const { password } = instance as { password?: string };
      const kept = password ?? stored().get(id)?.password;
      const saved: Stored = { ...now, id, ...(kept === undefined ? {} : { password: kept }) };
      stored().set(id, saved);
      return saved;
    },
    degress: async (resource: { id?: string }) => {
      if (!stored().delete(resource.id ?? '')) throw missing(resource.id);
    },
  } as never);
}
