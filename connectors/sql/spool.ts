import { loadSqlite } from '@gatehouse/connector';

/** A group or license by resource type and id. */
export type Held = { slug: string; id: string };
export const keyOf = ({ slug, id }: Held): string => `${slug}\n${id}`;

/** The type of members that stand for groups that no list has. */
export const UNLISTED_GROUP = '(unlisted group)';

/** Memberships in a temporary file, because a million accounts would not fit into memory. */
export interface Spool {
  add(type: string, account: string, group: Held): void;
  /** Adds that members of one group are members of another one. */
  nest(inner: Held, outer: Held, isShallow: boolean): void;
  /** Adds the memberships that follow from nested groups, at any depth. */
  expand(): void;
  of(type: string, account: string): Held[];
  hasMembers(type: string): boolean;
  /** Adds an account of the list. */
  list(type: string, account: string): void;
  /** Returns the members that no account of the list is. */
  unlisted(type: string): Set<string>;
  /** Returns how many members of each group are not in the list, if there are any. */
  hidden(type: string): (Held & { count: number })[];
  rename(type: string, member: string, account: string): void;
  close(): void;
}

const tables = `
  pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000; pragma temp_store = file;
  create table member (type text, account text, slug text, id text, direct integer,
    primary key (type, account, slug, id)) without rowid;
  create table listed (type text, account text, primary key (type, account)) without rowid;
  create table nest (in_slug text, in_id text, slug text, id text, shallow integer,
    primary key (in_slug, in_id, slug, id, shallow)) without rowid;
`;

export function openSpool(): Spool {
  // An empty name is a temporary file that SQLite removes.
  const db = new (loadSqlite().DatabaseSync)('');
  db.exec(tables);
  db.exec('begin');
  const add = db.prepare('insert or ignore into member values (?, ?, ?, ?, 1)');
  const nest = db.prepare('insert or ignore into nest values (?, ?, ?, ?, ?)');
  const of = db.prepare('select slug, id from member where type = ? and account = ? order by slug, id');
  const list = db.prepare('insert or ignore into listed values (?, ?)');
  const rename = db.prepare('update or ignore member set account = ?3 where type = ?1 and account = ?2');
  return {
    add: (type, account, group) => void add.run(type, account, group.slug, group.id),
    nest: (inner, outer, isShallow) =>
      void nest.run(inner.slug, inner.id, outer.slug, outer.id, isShallow ? 1 : 0),
    expand() {
      if (!db.prepare('select 1 from nest limit 1').get()) return;
      db.exec('create index by_group on member (slug, id)');
      const step = db.prepare(`
        insert or ignore into member
        select m.type, m.account, n.slug, n.id, 0
          from nest n join member m on m.slug = n.in_slug and m.id = n.in_id
         where m.direct = 1 or n.shallow = 0`);
      // Each round adds one level. Cycles end, because a membership is added only once.
      while (Number(step.run().changes) > 0);
    },
    of: (type, account) => of.all(type, account) as Held[],
    hasMembers: (type) => db.prepare('select 1 from member where type = ? limit 1').get(type) !== undefined,
    list: (type, account) => void list.run(type, account),
    unlisted(type) {
      const rows = db.prepare(`
        select distinct account from member m
         where type = ? and not exists (select 1 from listed l where l.type = m.type and l.account = m.account)`);
      return new Set(rows.all(type).map((row) => String(row.account)));
    },
    hidden(type) {
      const rows = db.prepare(`
        select slug, id, count(*) as count from member m
         where type = ? and not exists (select 1 from listed l where l.type = m.type and l.account = m.account)
         group by slug, id`);
      return rows.all(type) as (Held & { count: number })[];
    },
    rename(type, member, account) {
      rename.run(type, member, account);
      // The account has these memberships already.
      db.prepare('delete from member where type = ? and account = ?').run(type, member);
    },
    close: () => db.close(),
  };
}
