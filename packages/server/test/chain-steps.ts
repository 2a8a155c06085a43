import { createManualTask, type ManualRequest } from '#decisions/manual/manual.ts';
import { offboard } from '#decisions/offboarding/offboard.ts';
import { decideTicket } from '#decisions/requests/decide.ts';
import { createKey, transferKey } from '#directory/access/keys.ts';
import { recordProviderChange } from '#directory/means/means.ts';
import { createAbsence } from '#directory/people/absences.ts';
import { mergePeople } from '#directory/people/merge.ts';
import { changePerson, createPerson } from '#directory/people/people.ts';
import { createPasswordLink } from '#directory/sign-in/credentials/password-links.ts';
import { linkByHand } from '#inventory/records/accounts/links.ts';
import { transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import { inDays } from './requests.ts';

/* The steps of the chains that `system/chains.test.ts` searches: the rules of operations that can bring their caller closer to access. */

/** Somebody as whom the one who begins can act. */
export interface Identity {
  person: string;
  /** The creator of the key that acts for the person. */
  from?: string;
  provider?: string;
}

/** Those who are there from the beginning, and their accounts. Nobody but the one who begins does anything. */
export interface World {
  appId: string;
  people: Record<'admin' | 'owner' | 'other' | 'approver', string>;
  accounts: Record<'admin' | 'owner' | 'nobody', string>;
}

export interface State {
  world: World;
  begins: 'admin' | 'owner';
  /** A request of the one who begins, which waits for the approver. */
  ticket: string;
  identities: Identity[];
  /** The people who were made. */
  made: string[];
}

/** The gain of a step beyond its effects: further identities, and people. */
export interface Gained {
  identities?: Identity[];
  made?: string[];
}

export interface Step {
  name: string;
  run(call: Call): Promise<Gained>;
  /** The people who may call the operation. */
  by: 'anybody' | 'administrators' | 'owners';
  /** Whether it can be the last step: it gives access, or makes an account somebody's for which there is a task. */
  ends: 'never' | 'always' | 'with a task';
  /** Gifts of others matter for its outcome only if they led to the caller. */
  byCaller: boolean;
}

const MOST_MADE = 2;

export function stepsOf(state: State, nameOf: (id: string) => string): Step[] {
  const { world, begins, made } = state;
  const people = [world.people.approver, ...made, ...(begins === 'owner' ? [world.people.other] : [])];
  return [
    ...(made.length < MOST_MADE ? [create(made.length)] : []),
    ...people.flatMap((id) => waysIn(id, nameOf(id))),
    ...made.flatMap((id) => withMade(state, id, nameOf(id))),
    ...ownSteps(state),
  ];
}

const step = (
  name: string,
  by: Step['by'],
  run: (call: Call) => Promise<unknown>,
  {
    gained = {},
    ends = 'never',
    byCaller = false,
  }: Partial<Pick<Step, 'ends' | 'byCaller'>> & { gained?: Gained } = {},
): Step => ({
  name,
  by,
  ends,
  byCaller,
  run: async (call) => ((await run(call)) as Gained | undefined) ?? gained,
});

const silently = (run: (call: Call) => Promise<unknown>) => async (call: Call) => {
  await run(call);
};

/** With a mailbox of the one who begins. */
const create = (n: number) =>
  step('create a person', 'administrators', async (call) => {
    const { id } = await createPerson(call, { email: `made-${n}@acme.example` });
    return { identities: [{ person: id }], made: [id] };
  });

const waysIn = (id: string, name: string): Step[] => [
  step(
    `make a link for ${name}`,
    'administrators',
    silently((call) => createPasswordLink(call, id)),
    { gained: { identities: [{ person: id }] } },
  ),
  step(
    `give ${name} a role`,
    'administrators',
    silently((call) => changePerson(call, id, { role: 'admin' })),
  ),
  step(
    `change the email of ${name}`,
    'administrators',
    silently((call) => changePerson(call, id, { email: `taken-${name}@acme.example` })),
    { gained: { identities: [{ person: id }] } },
  ),
  step(`transfer a key to ${name}`, 'administrators', async (call) => {
    const wanted = { name: 'k', scopes: ['govern', 'bridge'] as const, apps: null, expiresAt: null };
    await transferKey(call, (await createKey(call, wanted)).id, id);
    const { userId: from, provider } = call.principal;
    return { identities: [{ person: id, from, ...(provider == null ? {} : { provider }) }] };
  }),
];

function withMade({ world, begins }: State, id: string, name: string): Step[] {
  const { people, accounts } = world;
  const absence = { deputy: id, startsAt: inDays(-1), endsAt: inDays(3) };
  return [
    step(
      `make ${name} the deputy of the approver`,
      'administrators',
      silently((call) => createAbsence(call, people.approver, absence)),
    ),
    step(
      `hand the decisions of the approver over to ${name}`,
      'administrators',
      silently((call) =>
        offboard(call, people.approver, { dry_run: false, reason: 'x', hand_over: { decisions: id } }),
      ),
    ),
    step(
      `create an account for ${name}`,
      'administrators',
      silently((call) => createManualTask(call, taskOf(world, { action: 'create_account', user: id }))),
    ),
    step(
      `merge ${name} into oneself`,
      'administrators',
      silently((call) =>
        mergePeople(call, { intoId: people[begins], fromId: id, dryRun: false, endSuspensions: false }),
      ),
      { ends: 'with a task' },
    ),
    step(
      `link an account to ${name}`,
      'administrators',
      silently((call) => linkByHand(call, accounts.nobody, id)),
    ),
  ];
}

function ownSteps({ world, begins, ticket }: State): Step[] {
  const { people, accounts } = world;
  const me = people[begins];
  const own = accounts[begins];
  const add = (account: string) =>
    silently((call) =>
      createManualTask(
        call,
        taskOf(world, { action: 'update_account', account, changes: { team: { added: ['red'] } } }),
      ),
    );
  const link = (account: string, to: string | null) => silently((call) => linkByHand(call, account, to));
  const decide = (override: boolean) =>
    silently((call) =>
      decideTicket({ db: call.db, expiryDays: 30 }, call, ticket, {
        verdict: 'approved',
        comment: 'x',
        override,
        step: null,
      }),
    );
  return [
    step(
      'change a provider',
      'owners',
      silently((call) => transaction(call, (tx) => recordProviderChange(tx, 'p'))),
      {
        gained: { identities: [people.approver, people.other].map((person) => ({ person, provider: 'p' })) },
      },
    ),
    step(
      'take the email of an account',
      'administrators',
      silently((call) => changePerson(call, me, { email: 'nobody@acme.example' })),
      { ends: 'with a task' },
    ),
    step('unlink the own account', 'administrators', link(own, null)),
    step('link the own account', 'administrators', link(own, me), { ends: 'with a task' }),
    step('link an account to oneself', 'administrators', link(accounts.nobody, me), { ends: 'with a task' }),
    step('make a task for the own account', 'administrators', add(own), { ends: 'always', byCaller: true }),
    step('make a task for an account of nobody', 'administrators', add(accounts.nobody), {
      ends: 'always',
      byCaller: true,
    }),
    step('approve', 'anybody', decide(false), { ends: 'always' }),
    step('override', 'administrators', decide(true), { ends: 'always' }),
  ];
}

const taskOf = (
  { appId }: World,
  change: Partial<ManualRequest> & Pick<ManualRequest, 'action'>,
): ManualRequest => ({
  app: appId,
  user: null,
  account: null,
  resourceType: null,
  memberships: {},
  assignments: {},
  changes: {},
  executeAfter: null,
  reason: null,
  insteadOf: null,
  leaving: false,
  ...change,
});
