// The rooms of the server, and the features in them: the only place that lists them. `.dependency-cruiser.mjs` checks the imports,
// `npm run docs` draws them in ARCHITECTURE.md, and `npm run tables` names a table's owner.

/** The name of a feature's folder, and a sentence about what it does. */
type Features = Record<string, string | LayeredFeature>;

/** A large feature has layers, too, the lowest first: folders, which share its queries and tables. Its own files are above them. */
interface LayeredFeature {
  about: string;
  layers: Record<string, string>[];
}

export interface Room {
  name: string;
  about: string;
  /** The layers, the lowest first. A feature imports features of lower layers only. A room without layers is one feature. */
  layers: Features[];
}

/** The rooms, the lowest first. A room imports lower rooms only. */
export const ROOMS: Room[] = [
  {
    name: 'kit',
    about: 'database, HTTP, jobs, loops, conditions, and who is calling; knows no feature',
    layers: [],
  },
  {
    name: 'log',
    about: 'what happened',
    layers: [
      { events: 'the log: catalog, record, cursor, list' },
      { notices: 'what features notify people of: kinds, drafts, recipients' },
      { webhooks: 'the log pushed to receivers' },
    ],
  },
  {
    name: 'directory',
    about: 'people, and how they sign in',
    layers: [
      { means: 'who gave whom the means to act, and who is behind an act' },
      { access: 'organizations, API keys, limits', people: 'people, groups, and their import' },
      { deciders: 'who decides: seats, deputies, escalation, hand-over' },
      {
        scim: 'people and groups pushed by an identity provider',
        'sign-in': {
          about: 'how people sign in',
          layers: [
            { visit: 'the browser: its cookies, addresses and failed attempts' },
            { protocols: 'what providers are, and what they send: OIDC and SAML' },
            { auth: 'better-auth, and the rules for passwords' },
            { sessions: 'sessions, and who may manage them' },
            {
              credentials: 'passwords, passkeys and one-time codes',
              sso: 'providers, their links to people, and sign-in through them',
            },
          ],
        },
      },
    ],
  },
  {
    name: 'inventory',
    about: 'which access exists',
    layers: [
      { apps: 'apps, resource types, owners, connection requests' },
      {
        records: {
          about: 'accounts, entitlements and memberships',
          layers: [
            { history: 'earlier states, and the changes that ended them' },
            { accounts: 'accounts, entitlements, their links to people, lists, effects of tasks' },
            {
              sessions: 'syncs: their states, clients and staged pages',
              budget: 'how much access an app may lose in a day',
            },
            { publication: 'staged pages become inventory, and stale records end' },
            { sync: 'the protocol of connectors: start, push, complete, abandon' },
            { revert: 'the inventory as it was before a sync' },
          ],
        },
      },
    ],
  },
  {
    name: 'reasons',
    about: 'why access should be there',
    layers: [
      { grants: 'decisions in force that give access, and what is owed to those that ended' },
      { suspensions: 'decisions in force that suspend accounts' },
    ],
  },
  {
    name: 'work',
    about: 'how access changes',
    layers: [
      {
        provisioning: 'tasks: create, dispatch, report, retry',
        spreadsheets: 'uploaded people and accounts',
      },
      {
        fulfillment: 'tasks that people carry out',
        connectors: 'the connectors that the server runs: settings, schedule, processes',
      },
    ],
  },
  {
    name: 'proposals',
    about: 'what a decision comes to: the checks that every decision passes, and its tasks and grants',
    layers: [],
  },
  {
    name: 'decisions',
    about: 'why access changes',
    layers: [
      { holds: 'changes of many people that wait for a decision' },
      {
        requests: 'requests and their approvals',
        reviews: {
          about: 'campaigns and their items',
          layers: [
            { campaigns: 'settings and times of campaigns, and the locks of their cycles' },
            { reviewers: 'who can review, and to whom items go when somebody cannot' },
            { revoking: 'tasks that carry out revocations, and access that stays' },
            { cycles: 'lists of cycles and items, their context and evidence' },
            {
              opening: 'items of a new cycle, and their preview',
              deciding: 'decisions, and those of silence',
            },
          ],
        },
        policies: 'rules that follow the log',
        restore: 'tasks that bring earlier access back',
        manual: 'tasks that administrators ask for',
      },
      { offboarding: 'everything that ends when a person leaves, in one decision' },
    ],
  },
  {
    name: 'insight',
    about: 'what people are shown',
    layers: [
      {
        history: 'questions about earlier access, with causes',
        entitlements: 'groups and licenses across apps: who has them, leavers, use, reviews',
        findings: 'what is wrong in an organization: kinds, evaluation, acceptance',
        'saved-queries': 'people, accounts and access by conditions: fields, saved queries, their schedules',
      },
      {
        overview: "figures for the console's first page",
        team: "a manager's reports",
        notifications: 'notices to people and channels: preferences, outbox, sending',
      },
      { proof: 'the chain from the decision of a removal to the sync that showed it gone' },
    ],
  },
  {
    name: 'operate',
    about: 'the commands of an operator, and the sample company',
    layers: [
      {
        sample: 'the sample company of an empty organization, and its removal',
        organizations: 'create, suspend, delete, export an organization',
        cluster: 'the nodes of a Citus cluster',
        move: 'the embedded database becomes a PostgreSQL',
      },
    ],
  },
];

/** Returns the feature of a file, whose path is relative to packages/server/src: a folder in a room, a room, or a file beside them. */
export function featureOf(path: string): string {
  const [first = path, second] = path.split('/');
  const room = ROOMS.find(({ name }) => name === first);
  const isInRoom = room !== undefined && room.layers.length > 0 && second !== undefined;
  return isInRoom ? second : first.replace(/[.]ts$/, '');
}

/** Returns the layers of a feature, the lowest first. A feature without layers has none. */
export const layersOf = (feature: string | LayeredFeature): Record<string, string>[] =>
  typeof feature === 'string' ? [] : feature.layers;

/** Returns the layer of a file in a feature with layers, such as `records/history`, and otherwise its feature. */
export function layerOf(path: string): string {
  const feature = featureOf(path);
  const [room, , folder = ''] = path.split('/');
  const found = ROOMS.find(({ name }) => name === room)?.layers.find((features) => feature in features);
  const isLayer = layersOf(found?.[feature] ?? '').some((layers) => folder in layers);
  return isLayer ? `${feature}/${folder}` : feature;
}

/** Returns the rooms as a drawing in text, the highest first. */
export const drawing = (): string =>
  ROOMS.toReversed()
    .map((room) => drawn(room, ''))
    .join('\n\n');

function drawn({ name, about, layers }: Room, indent: string): string {
  const inside = layers.toReversed().flatMap((features) =>
    Object.entries(features).map(([feature, what]) => {
      const text = typeof what === 'string' ? what : what.about;
      return drawn({ name: feature, about: text, layers: layersOf(what) }, `${indent}  `);
    }),
  );
  return [`${indent}${name}`.padEnd(18) + about, ...inside].join('\n');
}
