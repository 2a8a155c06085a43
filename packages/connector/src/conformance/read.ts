import { isDeepStrictEqual } from 'node:util';
import { ACCOUNT_FIELDS, fieldsOf } from '../../../protocol/src/records.ts';
import { counted, wasOrWere } from '../counted.ts';
import { type Page, type TypeEntry, typesOf, unreported } from '../define.ts';
import { silent } from '../progress.ts';
import { type AnyRecord, problemsOf, refsOf, slugsOf } from '../records.ts';
import type { Unseen } from '../unseen.ts';
import { type Check, must, type Subject, withSystem } from './check.ts';
import { startProcess } from './process.ts';

/** `unseen` has the last count of each slug, id and rule. */
export type Listed = {
  records: Map<string, AnyRecord[]>;
  pages: Page<AnyRecord>[];
  skipped: string[];
  unseen: Unseen[];
};

/** Returns every record that a connector lists, by slug. */
export async function listAll(subject: Pick<Subject, 'connector' | 'stage'>): Promise<Listed> {
  return withSystem(subject, async (system) => {
    const listed: Listed = { records: new Map(), pages: [], skipped: [], unseen: [] };
    for (const entry of typesOf(subject.connector)) {
      const { pages, skipped, unseen } = await listType(system, entry, undefined);
      listed.unseen = lastOf([...listed.unseen, ...unseen]);
      listed.records.set(
        entry.slug,
        pages.flatMap(({ records }) => records),
      );
      listed.pages.push(...pages);
      listed.skipped.push(...skipped);
    }
    return listed;
  });
}

const lastOf = (unseen: Unseen[]): Unseen[] => [
  ...new Map(unseen.map((each) => [JSON.stringify([each.slug, each.id ?? null, each.rule]), each])).values(),
];

async function listType(system: unknown, { type }: TypeEntry, from: string | undefined) {
  const { signal } = new AbortController();
  const skipped: string[] = [];
  const unseen: Unseen[] = [];
  const pages: Page<AnyRecord>[] = [];
  for await (const item of type.list(system, {
    from,
    signal,
    log: silent,
    skip: (id) => void skipped.push(id),
    ...unreported,
    unseen: (what) => void unseen.push(what),
  })) {
    pages.push('records' in item ? (item as Page<AnyRecord>) : { records: [item as AnyRecord] });
    must(pages.length < 1_000_000, 'the listing does not end');
  }
  return { pages, skipped, unseen };
}

const byId = (records: AnyRecord[] = []) => new Map(records.map((record) => [record.id, canonical(record)]));

/**
 * Normalizes a record for comparison: sorts references and drops absent fields. Of a time, such as the last sign-in, only its
 * presence counts: reading a system can be a sign-in itself.
 */
export function canonical(record: AnyRecord): unknown {
  const entries = Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(
      ([name, value]) => [name, isTime(name) ? true : isRelation(name) ? idsBySlug(value) : value] as const,
    )
    .sort(([a], [b]) => a.localeCompare(b));
  return Object.fromEntries(entries);
}

const isTime = (name: string) =>
  fieldsOf(ACCOUNT_FIELDS).some(([field, { type }]) => field === name && type === 'time');
const isRelation = (name: string) => name === 'memberships' || name === 'assignments';

function idsBySlug(map: Record<string, { id: string }[] | undefined>): unknown {
  const lists = Object.entries(map).map(
    ([slug, refs]) => [slug, (refs ?? []).map(({ id }) => id).sort()] as const,
  );
  return Object.fromEntries(lists.filter(([, ids]) => ids.length > 0).sort(([a], [b]) => a.localeCompare(b)));
}

/** Counts the references of all accounts. Throws if a record was skipped, because a sync then removes nothing. */
async function countHeld(subject: Subject): Promise<number> {
  const { records, skipped } = await listAll(subject);
  must(skipped.length === 0, `${counted(skipped.length, 'record')} ${wasOrWere(skipped.length)} skipped`);
  const accounts = typesOf(subject.connector).filter(({ kind }) => kind === 'account');
  return accounts
    .flatMap(({ slug }) => records.get(slug) ?? [])
    .reduce((sum, record) => sum + [...refsOf(record)].length, 0);
}

export const readChecks: Check[] = [
  {
    id: 'read.check-passes',
    group: 'read',
    title: 'check() accepts good settings',
    skip: ({ connector }) => (connector.check ? undefined : 'the connector has no check()'),
    run: (subject) => withSystem(subject, async (system) => void (await subject.connector.check?.(system))),
  },
  {
    id: 'read.valid-records',
    group: 'read',
    title: 'the service would accept every record',
    async run(subject) {
      const { records, skipped } = await listAll(subject);
      must(
        skipped.length === 0,
        `${counted(skipped.length, 'record')} ${wasOrWere(skipped.length)} skipped, for example '${skipped[0]}'`,
      );
      for (const { slug, kind } of typesOf(subject.connector)) {
        for (const record of records.get(slug) ?? []) {
          const [problem] = problemsOf(kind, record, slugsOf(subject.connector));
          must(!problem, `${slug} '${record?.id}': ${problem}`);
        }
      }
    },
  },
  {
    id: 'read.unique-ids',
    group: 'read',
    title: 'no id is listed twice',
    async run(subject) {
      for (const [slug, records] of (await listAll(subject)).records) {
        const ids = new Set<string>();
        for (const { id } of records) {
          must(!ids.has(id), `${slug} '${id}' is listed twice`);
          ids.add(id);
        }
      }
    },
  },
  {
    id: 'read.refs-resolve',
    group: 'read',
    title: 'every referenced group and license is listed',
    async run(subject) {
      const { records } = await listAll(subject);
      const known = new Map([...records].map(([slug, list]) => [slug, new Set(list.map(({ id }) => id))]));
      for (const { slug } of typesOf(subject.connector).filter(({ kind }) => kind === 'account')) {
        for (const record of records.get(slug) ?? []) {
          for (const ref of refsOf(record)) {
            must(
              known.get(ref.slug)?.has(ref.id),
              `${slug} '${record.id}' refers to ${ref.slug} '${ref.id}', which is not listed`,
            );
          }
        }
      }
    },
  },
  {
    id: 'read.stable',
    group: 'read',
    title: 'two consecutive listings are equal',
    async run(subject) {
      const [first, second] = [await listAll(subject), await listAll(subject)];
      for (const [slug, records] of first.records) {
        const [one, two] = [byId(records), byId(second.records.get(slug))];
        must(one.size === two.size, `${slug}: ${counted(one.size, 'record')}, then ${two.size}`);
        for (const [id, record] of one)
          must(isDeepStrictEqual(record, two.get(id)), `${slug} '${id}' differs between two listings`);
      }
    },
  },
  {
    id: 'read.pages',
    group: 'read',
    title: 'more than one page is read',
    async run(subject) {
      const { records } = await listAll(subject);
      const most = Math.max(...[...records.values()].map((list) => list.length));
      must(
        most > 100,
        `the largest list has ${counted(most, 'record')}; test on a system with more than 100 records of a type`,
      );
    },
  },
  {
    id: 'read.resume',
    group: 'read',
    title: 'a listing resumed after a token returns exactly the remaining records',
    async run(subject) {
      await withSystem(subject, async (system) => {
        for (const entry of typesOf(subject.connector)) {
          const { pages } = await listType(system, entry, undefined);
          for (const [at, { next }] of pages.entries()) {
            if (typeof next !== 'string' || at > 3) continue;
            const rest = pages.slice(at + 1).flatMap(({ records }) => records.map(({ id }) => id));
            const resumed = (await listType(system, entry, next)).pages.flatMap(({ records }) =>
              records.map(({ id }) => id),
            );
            must(
              isDeepStrictEqual(resumed, rest),
              `${entry.slug}: resuming after '${next}' returned ${counted(resumed.length, 'record')} instead of ${rest.length}`,
            );
          }
        }
      });
    },
  },
  {
    id: 'read.get-agrees',
    group: 'read',
    title: 'get() returns the listed record, and null for an unknown id',
    skip: ({ connector }) =>
      typesOf(connector).some(({ type }) => type.get) ? undefined : 'the connector has no get()',
    async run(subject) {
      const { records } = await listAll(subject);
      await withSystem(subject, async (system) => {
        for (const { slug, type } of typesOf(subject.connector)) {
          if (!type.get) continue;
          for (const record of (records.get(slug) ?? []).slice(0, 5)) {
            const alone = await type.get(system, record.id);
            must(alone !== null, `${slug} '${record.id}' is listed, but get() returns null`);
            must(
              isDeepStrictEqual(canonical(alone), canonical(record)),
              `${slug} '${record.id}' differs between listing and get()`,
            );
          }
          must(
            (await type.get(system, 'no such id: 00000000')) === null,
            `${slug}: get() returned a record for an unknown id`,
          );
        }
      });
    },
  },
  {
    id: 'read.html-is-an-error',
    group: 'read',
    title: 'a page of HTML with the status 404 is an error, and not an account that does not exist',
    skip: ({ connector, stage }) => {
      if (!stage.html) return 'the fixture has no html()';
      return typesOf(connector).some(({ type }) => type.get) ? undefined : 'the connector has no get()';
    },
    async run(subject) {
      const { records } = await listAll(subject);
      await withSystem(subject, async (system) => {
        for (const { slug, type } of typesOf(subject.connector)) {
          const [record] = records.get(slug) ?? [];
          if (!type.get || !record) continue;
          const repair = await subject.stage.html?.();
          try {
            const read = await type.get(system, record.id).catch(() => 'an error');
            must(
              read === 'an error',
              `${slug} '${record.id}' exists, but get() returned ${JSON.stringify(read)}`,
            );
          } finally {
            await repair?.();
          }
        }
      });
    },
  },
  {
    id: 'read.outage-is-an-error',
    group: 'read',
    title: 'a failing system causes an error, never an empty or incomplete listing',
    skip: ({ stage }) => (stage.outage ? undefined : 'the fixture has no outage()'),
    async run(subject) {
      for (const entry of typesOf(subject.connector)) {
        const repair = await subject.stage.outage?.();
        try {
          const ended = await withSystem(subject, (system) => listType(system, entry, undefined)).then(
            ({ pages }) => pages.reduce((sum, { records }) => sum + records.length, 0),
            () => undefined,
          );
          must(
            ended === undefined,
            `${entry.slug}: the listing ended with ${counted(ended ?? 0, 'record')} while the system was down`,
          );
        } finally {
          await repair?.();
        }
      }
    },
  },
  {
    id: 'read.missing-memberships',
    group: 'read',
    title: 'memberships that the system does not return cause an error, never accounts without memberships',
    skip: ({ stage }) => (stage.silence ? undefined : 'the fixture has no silence()'),
    async run(subject) {
      const held = await countHeld(subject);
      must(held > 0, 'no account has a group or license; test on a system that has some');
      const repair = await subject.stage.silence?.();
      try {
        const left = await countHeld(subject).catch(() => undefined);
        must(
          left === undefined || left >= held,
          `the listing ended with ${left} of ${held} memberships while the system returned none`,
        );
      } finally {
        await repair?.();
      }
    },
  },
  {
    id: 'read.stdout-is-data',
    group: 'read',
    title: 'standard output holds only records, and no output contains a secret',
    async run(subject) {
      const { ended } = startProcess(subject, ['list'], undefined);
      const { code, stdout, stderr } = await ended;
      must(code === 0, `list exited with ${code}: ${stderr.slice(0, 300)}`);
      for (const line of stdout.split('\n').filter(Boolean))
        must(line.startsWith('{"type":'), `standard output holds "${line.slice(0, 80)}"`);
      for (const [name, field] of Object.entries(subject.connector.config)) {
        const value = subject.stage.settings[name];
        const shows =
          field.secret && typeof value === 'string' && value.length > 8 && (stdout + stderr).includes(value);
        must(!shows, `the output contains the secret "${name}"`);
      }
    },
  },
];
