import { type TypeEntry, typesOf } from '../define.ts';
import { type AnyRecord, isActive } from '../records.ts';
import { runSync } from '../sync.ts';
import { type Check, must, type Subject } from './check.ts';
import { type Listed, listAll } from './read.ts';
import { rehearse } from './rehearsal.ts';

const accountsOf = ({ connector }: Subject): TypeEntry[] =>
  typesOf(connector).filter(({ kind }) => kind === 'account');

const idsOf = (records: AnyRecord[] = []) => records.map(({ id }) => id);

/** Throws if a list has neither all records nor a sign for the runner that it lacks some: a record that is skipped or listed twice. */
function mustBeWhole(entry: TypeEntry, all: string[], listed: string[], skipped: string[]): void {
  const found = new Set(listed);
  if (skipped.length > 0 || found.size < listed.length) return;
  const lost = all.filter((id) => !found.has(id));
  must(
    lost.length === 0,
    `${entry.slug}: the listing ended without ${lost.length} records, for example '${lost[0]}'`,
  );
}

const skip = ({ stage }: Subject) => (stage.pages ? undefined : 'the fixture has no pages');

/** Runs `work` while a list of the stage has a fault. */
async function whileOn(
  { stage }: Subject,
  fault: 'repeat' | 'cut',
  work: () => Promise<void>,
): Promise<void> {
  const repair = await stage.pages?.[fault]();
  try {
    await work();
  } finally {
    await repair?.();
  }
}

/** Rules against lists that are shorter than the truth. */
export const listChecks: Check[] = [
  {
    id: 'read.missing-status',
    group: 'read',
    title: 'a status that the system does not return causes an error, never an active account',
    skip: ({ stage }) => (stage.blindness ? undefined : 'the fixture has no blindness()'),
    async run(subject) {
      const active = ({ records }: Listed) =>
        accountsOf(subject).flatMap(({ slug }) => idsOf((records.get(slug) ?? []).filter(isActive)));
      const all = await listAll(subject);
      const before = new Set(active(all));
      const idle = accountsOf(subject)
        .flatMap(({ slug }) => idsOf(all.records.get(slug)))
        .find((id) => !before.has(id));
      must(idle, 'every account is active; test on a system with a suspended one');
      const repair = await subject.stage.blindness?.();
      try {
        const left = await listAll(subject).catch(() => undefined);
        must(
          left === undefined || left.skipped.length > 0 || !active(left).includes(idle),
          `'${idle}' is listed as active while the system did not return its status`,
        );
      } finally {
        await repair?.();
      }
    },
  },
  {
    id: 'read.repeated-records',
    group: 'read',
    title: 'a page that repeats a record in the place of another one is noticed',
    skip,
    async run(subject) {
      const all = await listAll(subject);
      await whileOn(subject, 'repeat', async () => {
        const left = await listAll(subject).catch(() => undefined);
        for (const entry of left ? accountsOf(subject) : [])
          mustBeWhole(
            entry,
            idsOf(all.records.get(entry.slug)),
            idsOf(left?.records.get(entry.slug)),
            left?.skipped ?? [],
          );
      });
    },
  },
  {
    id: 'read.missing-tail',
    group: 'read',
    title: 'a sync of a list that ends early is stopped',
    skip,
    async run(subject) {
      await rehearse(subject, [], async ({ run, sync }) => {
        await sync();
        await whileOn(subject, 'cut', async () => {
          const ended = await run((each) => runSync(each)).catch(() => undefined);
          must(ended === undefined, 'the sync completed; list records in the same order each time');
        });
      });
    },
  },
];
