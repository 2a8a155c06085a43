import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OrgTx, transaction, within } from '#kit/database.ts';
import { many, run } from '#kit/sql.ts';
import { addPersonWithKey, organizationOf } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';
import { approversOf, stepIsComplete } from './queries/approvers.ts';
import { insertApproval } from './queries/write.ts';
import { approversWaitedFor } from './waiting.ts';

/** People are numbers. The first two are administrators. */
const PEOPLE = 7;
const person = fc.nat(PEOPLE - 1);
const some = fc.uniqueArray(person, { maxLength: 3 });

interface Step {
  approvers: 'manager' | 'app_owner' | number[];
  require: 'any' | 'all';
}

interface World {
  steps: Step[];
  fallback: number[];
  requester: number;
  creator: number;
  beneficiary: number;
  owner: number;
  managers: (number | null)[];
  deputies: (number | null)[];
  inactive: number[];
  auditors: number[];
  level: number;
  /** Which of the people who are waited for approves, and who leaves for a holiday or comes back before. */
  clicks: { pick: number; turn: number; deputy: number | null }[];
}

const step: fc.Arbitrary<Step> = fc.record({
  approvers: fc.oneof(fc.constant('manager' as const), fc.constant('app_owner' as const), some, some),
  require: fc.constantFrom('any', 'all'),
});
const worlds: fc.Arbitrary<World> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  fallback: some,
  requester: person,
  creator: person,
  beneficiary: person,
  owner: person,
  managers: fc.array(fc.option(person), { minLength: PEOPLE, maxLength: PEOPLE }),
  deputies: fc.array(fc.option(person, { freq: 1 }), { minLength: PEOPLE, maxLength: PEOPLE }),
  inactive: some,
  auditors: fc.uniqueArray(fc.integer({ min: 2, max: PEOPLE - 1 }), { maxLength: 2 }),
  level: fc.constantFrom(0, 1, 2),
  clicks: fc.array(fc.record({ pick: fc.nat(20), turn: person, deputy: fc.option(person) }), {
    maxLength: 5,
  }),
});

/** A place in which somebody can decide. Ranks: 0 named, 1 fallback, 2 administrators; 3 is the manager of a late approver. */
interface Place {
  who: number;
  seat: number;
  via: number;
}
type Made = Place & { step: number };

/** The rules of docs/guides/requests.md. */
class Reference {
  made: Made[] = [];
  step = 0;
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  #isAble = (one: number) => !this.world.inactive.includes(one) && !this.world.auditors.includes(one);
  #concerned = () => [this.world.requester, this.world.creator, this.world.beneficiary];
  awayFor = (one: number) => (this.world.deputies[one] === one ? null : (this.world.deputies[one] ?? null));
  named = () => {
    const { approvers } = this.world.steps[this.step] as Step;
    const { owner, managers, beneficiary } = this.world;
    const single = { manager: managers[beneficiary] ?? null, app_owner: owner };
    const ids = typeof approvers === 'string' ? [single[approvers]] : approvers;
    return [...new Set(ids.filter((one) => one !== null))].sort();
  };
  #ofStep = () => this.made.filter(({ step: of }) => of === this.step);
  #filled = () => this.#ofStep().flatMap(({ who, seat }) => [who, seat]);
  #spares = () => this.#ofStep().filter(({ via, seat }) => via > 0 && !this.named().includes(seat)).length;
  #isFree = (one: number) =>
    !this.made.some(
      (voice) => voice.who === one || (voice.seat === one && (voice.via < 3 || voice.step === this.step)),
    );
  #isFine = (one: number) => this.#isAble(one) && !this.#concerned().includes(one) && this.#isFree(one);

  /** The deputy who could decide for somebody absent, if no other seat needs them. */
  #deputy(absent: number): number | null {
    let current = absent;
    for (let i = 0; i < 3 && this.awayFor(current) !== null; i++) {
      current = this.awayFor(current) as number;
      if (!this.#isAble(current) || this.#concerned().includes(current)) return null;
    }
    return current !== absent && this.awayFor(current) === null && this.#isFree(current) ? current : null;
  }

  isComplete(): boolean {
    if (this.#ofStep().length === 0) return false;
    if (this.world.steps[this.step]?.require === 'any') return true;
    return this.named().filter((one) => !this.#filled().includes(one)).length <= this.#spares();
  }

  places(): Place[] {
    const { fallback, managers, level, steps } = this.world;
    const named = this.named();
    const ranks = [named, [...fallback].sort(), [0, 1]];
    const seats = ranks.flatMap((ids, rank) =>
      ids
        .filter((one) => !ranks.slice(0, rank).some((before) => before.includes(one)))
        .map((one) => ({ one, rank })),
    );
    const isOpen = ({ one, rank }: { one: number; rank: number }) =>
      this.#isFine(one) && !(rank === 0 && this.#filled().includes(one));
    const duties = new Map<number, number>();
    for (const seat of seats.filter(isOpen)) {
      const deputy = this.awayFor(seat.one) === null ? null : this.#deputy(seat.one);
      if (deputy !== null && !named.includes(deputy) && !duties.has(deputy)) duties.set(deputy, seat.one);
    }
    const deputyOf = new Map([...duties].map(([deputy, one]) => [one, deputy]));
    const present = seats.filter(
      (seat) => isOpen(seat) && (this.awayFor(seat.one) === null || deputyOf.has(seat.one)),
    );
    const first = (above: number) =>
      Math.min(...present.map(({ rank }) => rank).filter((rank) => rank > above), Number.POSITIVE_INFINITY);
    const open = named.filter((one) => !this.#filled().includes(one));
    const vacant = open.filter((one) => !present.some((seat) => seat.one === one && seat.rank === 0));
    const isServed =
      steps[this.step]?.require === 'all' && open.length > 0 && vacant.length <= this.#spares();
    const base = isServed ? 0 : Math.min(first(steps[this.step]?.require === 'all' ? 0 : -1), 2);
    const next = first(base);
    const all = seats
      .filter((seat) => isOpen(seat) && (seat.rank <= base || (level === 2 && seat.rank === next)))
      .flatMap(({ one, rank }): Place[] => {
        const boss = managers[one] ?? null;
        const late = level === 0 || rank === 2 || boss === null || !this.#isFine(boss) ? [] : [boss];
        const above = late.flatMap((who) => [who, this.awayFor(who) === null ? null : this.#deputy(who)]);
        return [
          { who: one, seat: one, via: rank },
          ...[deputyOf.get(one) ?? null].flatMap((who) =>
            who === null ? [] : [{ who, seat: one, via: rank }],
          ),
          ...above.flatMap((who) => (who === null ? [] : [{ who, seat: one, via: 3 }])),
        ];
      });
    const order = ({ who, seat, via }: Place) => (who === seat ? 0 : 100) + via * 10 + seat;
    return Map.groupBy(all, ({ who }) => who)
      .values()
      .map((own) => own.toSorted((one, other) => order(one) - order(other))[0] as Place)
      .toArray()
      .sort((one, other) => one.who - other.who);
  }
}

let service: RequestsTest;
let ticketId: string;
let ids: string[];
beforeAll(async () => {
  service = await openRequestsTest();
  const { ownerId } = await organizationOf(service);
  const others = [(await addPersonWithKey(service, 'admin')).id];
  for (let i = 2; i < PEOPLE; i++) others.push((await addPersonWithKey(service, 'member')).id);
  ids = [ownerId, ...others];
  expect(ids).toEqual(ids.toSorted());
  ticketId = (await service.ask({ user: service.ada.id })).body.external_uuid;
});
afterAll(() => service.close());

const idsOf = (people: number[]) => people.map((one) => ids[one] as string);

async function arrange(tx: OrgTx, world: World): Promise<void> {
  const { orgId } = service;
  const steps = world.steps.map(({ approvers, require }) => ({
    approvers: typeof approvers === 'string' ? approvers : idsOf(approvers),
    require,
  }));
  await run(tx)`
    update ticket set steps = ${JSON.stringify(steps)}::jsonb,
      fallback_approvers = ${idsOf(world.fallback)}::uuid[], requester_id = ${ids[world.requester]},
      created_by = ${ids[world.creator]}, user_id = ${ids[world.beneficiary]}
    where org_id = ${orgId} and id = ${ticketId}`;
  await run(
    tx,
  )`update app set owner_id = ${ids[world.owner]} where org_id = ${orgId} and id = ${service.appId}`;
  for (const [one, manager] of world.managers.entries())
    await run(tx)`
      update platform_user set manager_id = ${manager === null ? null : ids[manager]},
        status = ${world.inactive.includes(one) ? 'deactivated' : 'active'},
        role = case when ${world.auditors.includes(one)}::boolean then 'auditor' else role end
      where org_id = ${orgId} and id = ${ids[one]}`;
  for (const [one, deputy] of world.deputies.entries()) await setAbsence(tx, one, deputy);
}

async function setAbsence(tx: OrgTx, one: number, deputy: number | null): Promise<void> {
  await run(tx)`delete from absence where org_id = ${tx.orgId} and user_id = ${ids[one]}`;
  if (deputy !== null && deputy !== one)
    await run(tx)`
      insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
      values (${tx.orgId}, ${ids[one]}, ${ids[deputy]}, '2020-01-01', '2099-01-01', ${ids[one]})`;
}

const VIA = ['named', 'fallback', 'administrators', 'escalated'] as const;

async function found(tx: OrgTx): Promise<{ places: Place[]; complete: boolean }> {
  const rows = await many<{ user_id: string; seat: string; via: (typeof VIA)[number] }>(tx)`
    select w.user_id, w.seat, w.via from ticket t cross join lateral ${approversOf(tx, 't')} as w
    where t.org_id = ${tx.orgId} and t.id = ${ticketId} order by w.user_id`;
  const [complete] = await many(tx)`
    select from ticket t where t.org_id = ${tx.orgId} and t.id = ${ticketId} and ${stepIsComplete(tx, 't')}`;
  const places = rows.map(({ user_id, seat, via }) => ({
    who: ids.indexOf(user_id),
    seat: ids.indexOf(seat),
    via: VIA.indexOf(via),
  }));
  return { places, complete: complete !== undefined };
}

async function approve(tx: OrgTx, { who, seat, via }: Place, stepNumber: number): Promise<void> {
  await insertApproval(tx, ticketId, {
    ...{
      step: stepNumber,
      approverId: ids[who] as string,
      decision: 'approved',
      override: false,
      comment: '',
    },
    ...{ onBehalfOf: seat === who ? [] : [ids[seat] as string], via: VIA[via] ?? null },
  });
}

class Rollback extends Error {}

async function runWorld(world: World): Promise<void> {
  const reference = new Reference(structuredClone(world));
  await transaction(within(service.database.db, service.orgId), async (tx) => {
    await arrange(tx, world);
    for (const click of [...world.clicks, null]) {
      await run(tx)`
        update ticket set step = ${reference.step}, escalation_step = ${reference.step},
          escalation_level = ${world.level}
        where org_id = ${tx.orgId} and id = ${ticketId}`;
      const places = reference.places();
      expect(await found(tx)).toEqual({ places, complete: false });
      expect((await approversWaitedFor(tx, ticketId)).map(({ userId }) => ids.indexOf(userId))).toEqual(
        places.map(({ who }) => who),
      );
      const place = click === null || places.length === 0 ? undefined : places[click.pick % places.length];
      if (place !== undefined) {
        await approve(tx, place, reference.step);
        reference.made.push({ ...place, step: reference.step });
        expect((await found(tx)).complete).toBe(reference.isComplete());
        if (reference.isComplete()) reference.step++;
        if (reference.step === world.steps.length) break;
      }
      if (click !== null) {
        reference.world.deputies[click.turn] = click.deputy;
        await setAbsence(tx, click.turn, click.deputy);
      }
    }
    throw new Rollback();
  }).catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error;
  });
  requireOneVoice(reference);
}

/** Nobody decides twice, or for themselves; and each named person of a step that requires all stands for somebody who decided. */
function requireOneVoice({ made, step: current, world }: Reference): void {
  const people = made.map(({ who }) => who);
  expect(new Set(people).size).toBe(people.length);
  for (const one of [world.requester, world.creator, world.beneficiary, ...world.inactive])
    expect(people).not.toContain(one);
  for (const [index, { approvers, require }] of world.steps.slice(0, current).entries()) {
    const needed = require === 'all' && typeof approvers !== 'string' ? Math.max(1, approvers.length) : 1;
    expect(made.filter(({ step: of }) => of === index).length).toBeGreaterThanOrEqual(needed);
  }
}

const check = (numRuns: number) => fc.assert(fc.asyncProperty(worlds, runWorld), { numRuns });

test(
  'the people who are waited for follow the rules, and one person has one voice',
  { tags: ['engine'], timeout: 120_000 },
  () => check(40),
);

test('the same in many worlds', { tags: ['long'], timeout: 300_000 }, () => check(800));
