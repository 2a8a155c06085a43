import { type Browser, openBrowser } from './browser.ts';
import type { Stage } from './governance.ts';
import { type Inlet, type Mail, type Mailbox, openInlet, openMailbox } from './receivers.ts';
import { until } from './until.ts';

/** The people and receivers of the second story. */
export interface Outside {
  /** The address of the organization. */
  url: string;
  /** An owner, who signs in with a password. */
  owner: { email: string; password: string };
  /** The port on which the demo receives the service's emails. */
  smtpPort: number;
  signal: AbortSignal;
}

interface Item {
  external_uuid: string;
}

const PASSWORD = 'a password only for the demo';

/**
 * Work finds people: an identity provider pushes three people by SCIM. One requests access while her manager is away. The
 * deputy gets an email, signs in and approves. A webhook receives it all. In the end, SCIM deactivates the newcomer, and her accounts
 * go.
 */
export async function tellReach(stage: Stage, { url, owner, smtpPort, signal }: Outside): Promise<void> {
  const mailbox = await openMailbox(smtpPort);
  const inlet = await openInlet();
  try {
    const admin = openBrowser(url, signal);
    await admin.post('/auth/sign-in/', owner);
    const { email_enabled } = await admin.get<{ email_enabled: boolean }>('/api/notifications/preferences/');
    if (!email_enabled) {
      stage.say(
        '\nGatehouse runs without a mail server, so the rest of the story is left out. The README says how to add one.',
      );
      return;
    }
    await story(stage, { url, admin, mailbox, inlet, signal });
  } finally {
    await inlet.close();
    await mailbox.close();
  }
}

interface Scene {
  url: string;
  admin: Browser;
  mailbox: Mailbox;
  inlet: Inlet;
  signal: AbortSignal;
}

async function story(stage: Stage, scene: Scene): Promise<void> {
  const { api, app, say, work, groupsOf } = stage;
  const { admin, inlet, mailbox } = scene;
  say('\n6. A webhook sends events to another system as they happen');
  const webhook = await api.post<{ id: string; secret: string }>('/api/webhooks/', {
    name: `Demo ${app.slice(-4)}`,
    url: inlet.url,
    filters: { catalog: 'all' },
  });
  inlet.trust(webhook.secret);
  say(`   it sends to ${inlet.url} and signs with a secret that was shown once`);

  say('\n7. An identity provider pushes people by SCIM');
  const suffix = app.slice(-4);
  const scim = await openScim(scene);
  const mia = await scim.create(`mia${suffix}`);
  const dev = await scim.create(`dev${suffix}`);
  const nina = await scim.create(`nina${suffix}`, mia.id);
  say(`   ${nina.email}, her manager ${mia.email}, and ${dev.email}`);

  say('\n8. Nina requests access while her manager is away');
  await api.patch(`/api/apps/${app}/`, { approval_steps: [{ approvers: 'manager' }] });
  await admin.post(`/api/users/${mia.id}/absences/`, {
    deputy: dev.id,
    starts_at: new Date(Date.now() - 60_000).toISOString(),
    ends_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  say(`   ${mia.email} is away, and ${dev.email} decides for her`);
  const ninas = await signInByEmail(stage, scene, nina);
  const devs = await signInByEmail(stage, scene, dev);
  const ticket = await ninas.post<Item & { label: string }>('/api/tickets/', {
    app,
    user: nina.id,
    type: 'NEW_ACCESS',
    comment: 'I start on Monday.',
  });
  const asked = await mailTo(mailbox, dev.email, /decision/i);
  say(`   ${dev.email} got an email: "${asked.subject}"`);
  say(indent(linkIn(asked)));

  say('\n9. The deputy approves');
  await devs.post(`/api/tickets/${ticket.external_uuid}/approve/`, { comment: 'Welcome.' });
  say(`   the connector carried out ${await work()} task`);
  say(`   PostgreSQL: role ${nina.name} ${(await groupsOf(nina.name)) === null ? 'is missing' : 'exists'}`);
  const granted = await mailTo(mailbox, nina.email, /^Granted/im);
  say(`   ${nina.email} got an email: "${granted.subject}"`);

  say('\n10. SCIM deactivates Nina, and the policy for leavers deletes her account');
  await scim.deactivate(nina.id);
  await until(
    () => api.get<{ results: { action: string; app: Item }[] }>(`/api/tasks/?app=${app}&limit=50`),
    ({ results }) =>
      results.some(({ action, app: of }) => action === 'delete_account' && of.external_uuid === app),
  );
  await until(work, (completed) => completed > 0);
  say(
    `   PostgreSQL: role ${nina.name} ${(await groupsOf(nina.name)) === null ? 'no longer exists' : 'still exists'}`,
  );

  say('\n11. The webhook received it all');
  await until(
    async () => inlet.received,
    (received) => received.some(({ type }) => type === 'user.deactivated'),
  );
  const ids = new Set(inlet.received.map(({ id }) => id));
  say(
    `   ${inlet.received.length} deliveries of ${ids.size} events, all with a valid signature, ${inlet.refused()} refused`,
  );
  say(`   ${[...new Set(inlet.received.map(({ type }) => type))].join(', ')}`);
  await api.delete(`/api/webhooks/${webhook.id}/`);
}

interface Pushed {
  id: string;
  name: string;
  email: string;
}

/** Returns a SCIM client with a key of its own. */
async function openScim({ url, admin, signal }: Scene) {
  const key = await admin.post<{ key: string }>('/api/api-keys/', { name: 'Demo SCIM', scopes: ['scim'] });
  const call = async <T>(method: string, path: string, body: object): Promise<T> => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
      signal,
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`SCIM ${method} ${path} failed with status ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    create: async (name: string, manager?: string): Promise<Pushed> => {
      const email = `${name}@acme.example`;
      const { id } = await call<{ id: string }>('POST', '/Users', {
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:User',
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
        ],
        userName: name,
        emails: [{ value: email, type: 'work', primary: true }],
        active: true,
        ...(manager === undefined
          ? {}
          : {
              'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: manager } },
            }),
      });
      return { id, name, email };
    },
    deactivate: (id: string) =>
      call('PATCH', `/Users/${id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', value: { active: false } }],
      }),
  };
}

/** Signs a person in with the link that the service emails to them. */
async function signInByEmail({ say }: Stage, { url, admin, mailbox, signal }: Scene, person: Pushed) {
  await admin.post(`/api/users/${person.id}/sign-in-link/email/`);
  const mail = await mailTo(mailbox, person.email, /sign-in link/i);
  const token = /#([\w.-]+)/.exec(mail.text)?.[1];
  const browser = openBrowser(url, signal);
  await browser.post('/auth/welcome/', { token, new_password: PASSWORD });
  await browser.post('/auth/sign-in/', { email: person.email, password: PASSWORD });
  say(`   ${person.email} signed in with the link from an email`);
  return browser;
}

/** Waits for an email to `address` that mentions this. Messages that are sent together are in one email. */
async function mailTo({ received }: Mailbox, address: string, mention: RegExp): Promise<Mail> {
  const find = () =>
    received.find((mail) => mail.to === address && mention.test(`${mail.subject}\n${mail.text}`));
  return (await until(
    async () => find(),
    (mail) => mail !== undefined,
  )) as Mail;
}

const linkIn = ({ text }: Mail) => /https?:\/\/\S+/.exec(text)?.[0] ?? '';
const indent = (line: string) => `   ${line}`;
