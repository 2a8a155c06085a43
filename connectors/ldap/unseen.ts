import type { ListContext, UnseenRule } from '@gatehouse/connector';
import { type Entry, EqualityFilter, type Filter, FilterParser, OrFilter } from 'ldapts';
import { domainOf, isBelow, nameOf, parseDn } from './dn.ts';
import { groupClasses } from './group-classes.ts';
import type { Directory } from './kinds.ts';
import { membersOf, type NamedMember, storedOf, urlsOf } from './members.ts';
import type { Memberships } from './memberships.ts';
import { mayReadMembers } from './readable.ts';
import { all } from './session.ts';

type Report = ListContext['unseen'];
type Slug = 'group' | 'license';

/** Reports the members of listed groups that are none of the listed accounts (D81). */
export async function reportUnseen(
  directory: Directory,
  slug: Slug,
  memberships: Memberships,
  unseen: Report,
): Promise<void> {
  const counts = new Map<string, Map<UnseenRule, number>>();
  const add = (id: string, rule: UnseenRule, more: number) => {
    const rules = counts.get(id) ?? new Map<UnseenRule, number>();
    counts.set(id, rules.set(rule, (rules.get(rule) ?? 0) + more));
  };
  const unlisted = memberships.unlisted();
  const ruleOf = await rulesIn(
    directory,
    slug,
    unlisted.map(({ member }) => member),
  );
  for (const { member, groups } of unlisted) {
    const rule = ruleOf(member);
    if (rule) for (const { id } of groups) add(id, rule, 1);
  }
  for (const group of memberships.doubtful) {
    const id = directory.kind.idOf(group);
    const isEmpty = (await membersOf(directory, group)).length === 0;
    if (isEmpty && !(await mayReadMembers(directory, group))) add(id, 'unreadable', 1);
    const computed = await countUncomputed(directory, group);
    if (computed > 0) add(id, 'computed', computed);
  }
  for (const [id, rules] of counts) for (const [rule, count] of rules) unseen({ slug, id, rule, count });
  if (memberships.leftOut > 0) unseen({ slug, rule: 'filter', count: memberships.leftOut });
}

/** The partitions of Active Directory that have no accounts and no groups. A search from the root of a domain refers to them. */
const ownPartitions = /^ldaps?:\/\/[^/]*\/(CN=Configuration|DC=(Domain|Forest)DnsZones),/i;

/** Returns a function that counts the other servers to which a list refers. How many records they have is unknown. */
export function countReferrals(slug: 'person' | 'group', unseen: Report): (url: string) => void {
  let count = 0;
  return (url) => {
    if (!ownPartitions.test(url)) unseen({ slug, rule: 'foreign', count: ++count });
  };
}

const keyOf = (member: NamedMember) => ('uid' in member ? `uid ${member.uid}` : nameOf(member.dn));

/** Returns a function with the reason why each member is not listed, or undefined for one that does not exist any longer. */
async function rulesIn(directory: Directory, slug: Slug, members: NamedMember[]) {
  const contexts = await contextsOf(directory);
  const dns = members.flatMap((member) => ('dn' in member ? member.dn : []));
  const uids = members.flatMap((member) => ('uid' in member ? member.uid : []));
  const rules = new Map<string, UnseenRule>();
  for (const dn of dns) if (isForeign(directory, contexts, dn)) rules.set(nameOf(dn), 'foreign');
  const inside = dns.filter((dn) => !rules.has(nameOf(dn)));
  const here = toLookUp(inside, directory.users);
  // Settings leave out an entry that is not below `users`, whatever it is.
  if (here.length < inside.length) for (const dn of inside) rules.set(nameOf(dn), 'filter');
  for (const dn of here) rules.delete(nameOf(dn));
  // The systems that read groups with user names may have users of their own.
  for (const uid of uids) rules.set(keyOf({ uid }), 'foreign');
  await addFound(directory, slug, { contexts, dns: here, uids }, rules);
  await addUnfound(
    directory,
    here.filter((dn) => !rules.has(nameOf(dn))),
    rules,
  );
  return (member: NamedMember) => rules.get(keyOf(member));
}

/** With more members than this, a search for all of them takes minutes. */
const MOST_LOOKED_UP = 20_000;

/** Returns the members to look up: if there are too many, only those that could be listed. */
export const toLookUp = (dns: string[], users: string, most = MOST_LOOKED_UP): string[] =>
  dns.length <= most ? dns : dns.filter((dn) => isBelow(dn, users));

type Sought = { contexts: string[]; dns: string[]; uids: string[] };

/** Adds the rules of the entries that the bind DN finds. */
async function addFound(
  directory: Directory,
  slug: Slug,
  { contexts, dns, uids }: Sought,
  rules: Map<string, UnseenRule>,
): Promise<void> {
  const { username, name } = directory.kind;
  const dnAttribute = name === 'ad' ? 'distinguishedName' : 'entryDN';
  for (const base of contexts) {
    const inside = dns.filter((dn) => isBelow(dn, base));
    for await (const entry of findAll(directory, base, dnAttribute, inside))
      rules.set(nameOf(entry.dn), ruleOfClasses(entry, slug));
    for await (const entry of findAll(directory, base, username, uids))
      for (const uid of all(entry[username])) rules.set(keyOf({ uid }), 'filter');
  }
}

/** Adds the rules of the other entries, one by one. */
async function addUnfound(
  { session, kind }: Directory,
  dns: string[],
  rules: Map<string, UnseenRule>,
): Promise<void> {
  for (const dn of dns) {
    const rule = kind.name === 'ad' ? 'unreadable' : presences[await session.presenceOf(dn)];
    if (rule) rules.set(nameOf(dn), rule);
  }
}

/** Active Directory removes links to entries that are deleted. Other servers may keep them. */
const presences = {
  shown: 'filter',
  hidden: 'unreadable',
  missing: undefined,
  elsewhere: 'foreign',
} as const;

/** The DNs below which the server has entries. */
async function contextsOf({ session, root }: Directory): Promise<string[]> {
  if (root !== undefined) return [root];
  const dse = await session.lookUp('', '(objectClass=*)', ['namingContexts']);
  return all(dse?.namingContexts);
}

/** Whether a member is of another domain or directory. Active Directory keeps those of other forests in a container. */
function isForeign({ kind, root }: Directory, contexts: string[], dn: string): boolean {
  if (kind.name === 'ad' && isBelow(dn, `CN=ForeignSecurityPrincipals,${root}`)) return true;
  if (kind.name === 'ad' && root !== undefined && domainOf(dn) !== domainOf(root)) return true;
  return contexts.length > 0 && !contexts.some((base) => isBelow(dn, base));
}

const perSearch = 100;

/** Yields the entries that have one of the values, with their classes. */
async function* findAll(
  { session, kind }: Directory,
  base: string,
  attribute: string,
  values: string[],
): AsyncGenerator<Entry> {
  for (let at = 0; at < values.length; at += perSearch) {
    const filters: Filter[] = values
      .slice(at, at + perSearch)
      .map((value) => new EqualityFilter({ attribute, value }));
    yield* session.entries(base, new OrFilter({ filters }), ['objectClass', kind.username]);
  }
}

const lowercased = (names: string[]) => new Set(names.map((name) => name.toLowerCase()));
const groups = lowercased(groupClasses);
/** The classes of entries that can be accounts, of people or of services. */
const accounts = lowercased([
  ...['user', 'person', 'inetOrgPerson', 'account', 'posixAccount', 'nsPerson', 'nsAccount'],
  'simpleSecurityObject',
]);
/** The classes of other entries that also have one of these classes. */
const others = lowercased(['computer', 'contact']);

/** Settings leave out accounts, and groups in groups. A license is not given to groups. */
function ruleOfClasses({ objectClass }: Entry, slug: Slug): UnseenRule {
  const classes = all(objectClass).map((name) => name.toLowerCase());
  if (classes.length === 0) return 'unreadable';
  if (classes.some((name) => groups.has(name))) return slug === 'group' ? 'filter' : 'class';
  const isAccount = classes.some((name) => accounts.has(name)) && !classes.some((name) => others.has(name));
  return isAccount ? 'filter' : 'class';
}

/** Returns how many members the LDAP URLs of a group select that the server does not compute. Applications may do so. */
async function countUncomputed(directory: Directory, group: Entry): Promise<number> {
  const urls = urlsOf(group);
  if (urls.length === 0) return 0;
  const shown = new Set(await membersOf(directory, group));
  const stored = new Set(await membersOf(directory, await storedOf(directory, group)));
  if (shown.size > stored.size) return 0;
  const selected = new Set<string>();
  for (const url of urls)
    for (const name of await selectedBy(directory, url)) if (!shown.has(name)) selected.add(name);
  return selected.size;
}

const ldapUrl = /^ldaps?:\/\/[^/]*\/([^?]*)(?:\?[^?]*)?(?:\?([^?]*))?(?:\?([^?]*))?/i;

/** Returns the names of the entries that an LDAP URL (RFC 4516) of this server selects, or the URL itself if it is not valid. */
async function selectedBy({ session }: Directory, url: string): Promise<string[]> {
  const query = queryOf(url);
  if (!query) return [url];
  const { base, scope, filter } = query;
  const found = await session.lookThrough(base, filter, ['objectClass']);
  const levelsOf = (dn: string) => parseDn(dn)?.length ?? 0;
  const isInScope = ({ dn }: Entry) => {
    const level = levelsOf(dn) - levelsOf(base);
    return scope === 'sub' || (scope === 'one' ? level === 1 : level === 0);
  };
  return found.filter(isInScope).map(({ dn }) => nameOf(dn));
}

function queryOf(url: string) {
  try {
    const [base = '', scope = '', filter = ''] = (ldapUrl.exec(url) ?? [])
      .slice(1)
      .map((part) => decodeURIComponent(part ?? ''));
    FilterParser.parseString(filter || anything);
    return { base, scope: scope.toLowerCase(), filter: filter || anything };
  } catch {
    return undefined;
  }
}

const anything = '(objectClass=*)';
