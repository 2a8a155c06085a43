import type { DatabaseSync } from 'node:sqlite';
import type { UnseenEntry } from './unseen-entries.ts';

type Row = Record<string, unknown> | undefined;

/** Keeps what the lists of a run do not show, in the database of the state, so that a resumed run has what it collected. */
export function unseenStore(db: DatabaseSync) {
  db.exec(
    'create table if not exists unseen (slug text, id text, rule text, count integer, list text, primary key (slug, id, rule)) without rowid',
  );
  // An entry without an id has the empty id here: keys with null would not be unique.
  const put = db.prepare(
    'insert or replace into unseen (slug, id, rule, count, list) values (?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('delete from unseen where slug = ? and id = ? and rule = ?');
  const forgetBy = db.prepare('delete from unseen where list = ?');
  const count = db.prepare('select count(*) as n from unseen');
  const each = db.prepare('select slug, id, rule, count from unseen');
  const short = db.prepare(`
    select slug, id, rule, count from unseen where rule = 'unreadable'
     union all
    select slug, '', rule, sum(count) from unseen where rule <> 'unreadable' group by slug, rule`);
  const entryOf = ({ slug, id, rule, count: number }: Record<string, unknown>): UnseenEntry => ({
    slug: String(slug),
    id: id === '' ? null : String(id),
    rule: rule as UnseenEntry['rule'],
    count: Number(number),
  });
  return {
    /** Sets a count that the list of a resource type reports. Zero deletes the entry. */
    setUnseen({ slug, id, rule, count: number }: UnseenEntry, list = slug): void {
      if (number > 0) put.run(slug, id ?? '', rule, number, list);
      else drop.run(slug, id ?? '', rule);
    },
    countUnseen: (): number => Number(count.get()?.n),
    *eachUnseen(): Generator<UnseenEntry> {
      for (const row of each.iterate()) yield entryOf(row);
    },
    /** Returns the entries with the rule `unreadable`, and the sums of all others. */
    shortUnseen: (): UnseenEntry[] => short.all().map(entryOf),
    /** Forgets what a list has reported, because it is read again from its beginning. */
    forgetUnseenBy: (list: string): void => void forgetBy.run(list),
    forgetUnseen: (): void => db.exec('delete from unseen'),
  };
}

/** Keeps what is needed to confirm that records are gone. `known` and `seen` are tables of the state. */
export function goneStore(db: DatabaseSync) {
  db.exec(`
    create table if not exists introduced (slug text, id text, primary key (slug, id)) without rowid;
    create temp table if not exists again (position integer primary key, slug text, id text, unique (slug, id));
    create temp table if not exists look (slug text, look text, name text, primary key (slug, look)) without rowid;
  `);
  const isSeen = (table: string) =>
    `exists (select 1 from seen where seen.slug = ${table}.slug and seen.id = ${table}.id)`;
  const introduce = db.prepare('insert or ignore into introduced (slug, id) values (?, ?)');
  const isKnown = 'exists (select 1 from known where known.slug = seen.slug and known.id = seen.id)';
  const introduceSeen = `insert or ignore into introduced (slug, id) select slug, id from seen where not ${isKnown}`;
  const gone = db.prepare(`
    select id from known where slug = ?1 and not ${isSeen('known')}
     union
    select id from introduced where slug = ?1 and not ${isSeen('introduced')}
     limit ?2`);
  const insertAgain = db.prepare('insert or ignore into again (slug, id) values (?, ?)');
  const lost = db.prepare(`
    select count(*) as n, min(id) as id from seen
     where slug = ? and not exists (select 1 from again where again.slug = seen.slug and again.id = seen.id)`);
  const lastPlace = db.prepare('select max(position) as n from seen');
  const moveBehind = db.prepare(`
    update seen set position = ?2 + again.position
      from again where seen.slug = ?1 and again.slug = seen.slug and again.id = seen.id`);
  const insertLook = db.prepare('insert or ignore into look (slug, look, name) values (?, ?, ?)');
  const selectLook = db.prepare('select name from look where slug = ? and look = ?');
  return {
    /** Returns the first name of this process with this look. Names are not kept in memory: there may be many. */
    firstWithLook(slug: string, look: string, name: string): string {
      insertLook.run(slug, look, name);
      return String(selectLook.get(slug, look)?.name ?? name);
    },
    forgetLooks: (): void => db.exec('delete from look'),
    /** Notes a record that was pushed outside of a full sync. The service has it, although no list did. */
    introduce: (slug: string, id: string): void => void introduce.run(slug, id),
    /** Notes the records of a session that ends without a completion: the service keeps what it was sent. */
    introduceSeen: (): void => db.exec(introduceSeen),
    /** Returns ids that the service has and this listing lacks, at most `most`. */
    goneIds: (slug: string, most: number): string[] => gone.all(slug, most).map(({ id }) => String(id)),
    beginAgain: (): void => db.exec('delete from again'),
    /** Records an id of a second reading. Returns false if this reading has already seen it. */
    seeAgain: (slug: string, id: string): boolean => insertAgain.run(slug, id).changes > 0,
    /** Returns how many records of the first reading the second one lacks, with one of them. */
    lostAgain(slug: string): { count: number; id: string } {
      const row: Row = lost.get(slug);
      return { count: Number(row?.n ?? 0), id: String(row?.id ?? '') };
    },
    /** Gives the records of a type the order of the second reading, which has all of them. */
    takeOrder: (slug: string): void => void moveBehind.run(slug, Number(lastPlace.get()?.n ?? 0)),
  };
}
