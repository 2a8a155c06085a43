import { LRUCache } from 'lru-cache';
import { accessibleApp } from '#inventory/apps/apps.ts';
import { type Database, within } from '#kit/database.ts';
import { DomainError, notFound } from '#kit/errors.ts';
import { Blocks } from '#kit/http/blocks.ts';
import { type Principal, unauthenticated } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { runInWorker } from '#kit/workers/pool.ts';
import { recordRefusals } from '../sentences.ts';
import { requireInProgress } from '../sessions/clients.ts';
import { findSession } from '../sessions/queries/sessions.ts';
import type { run as parseLarge } from './page.worker.ts';
import { type StorablePage, storableOf } from './page-columns.ts';
import { isKeyLive, storePage, type TypeRow, typesOfApp } from './queries/push.ts';
import { type SyncQuotas, syncQuota } from './quota.ts';
import { parsePage, type RecordKind, requireKnownSlugs } from './record.ts';

/** The reply to a pushed page (protocol 2.4). */
export interface PageResult {
  total: number;
  created: number;
  updated: number;
}

/** The part of a caller that a push needs. */
export type Pusher = Pick<Principal, 'orgId' | 'keyId' | 'apps' | 'scopes' | 'role'>;

export interface PageAddress {
  appId: string;
  sessionId: string;
  slug: string;
}

/** The resource types of an app by slug. */
type Types = Map<string, TypeRow>;

const NO_QUOTAS: SyncQuotas = { pages: null, megabytes: null };
const CACHED_APPS = 10_000;
const PAGE_WORKER = new URL('./page.worker.ts', import.meta.url);
const PARSE_MS = 60_000;

/** Parses a page. A body that is still unparsed is large, and is parsed in a worker thread. */
async function readPage(slug: string, kind: RecordKind, body: unknown): Promise<StorablePage> {
  if (!(body instanceof Blocks)) return storableOf(parsePage(slug, kind, body));
  const blocks = body.take();
  const options = { timeoutMs: PARSE_MS, transfer: blocks.map(({ buffer }) => buffer) };
  return runInWorker<typeof parseLarge>(PAGE_WORKER, { slug, kind, blocks }, options);
}

/**
 * Stores pushed pages with one round trip each. The statement that stores a page also checks the key, the app and the
 * session. Resource types come from a cache: their ids, slugs and kinds never change. On failure, assertPushable
 * checks each precondition in the documented order to find the right error (D6).
 */
export function pagePusher(database: Database, quotas: SyncQuotas = NO_QUOTAS) {
  const cache = new LRUCache<string, Types>({ max: CACHED_APPS });
  const requireWithinQuota = syncQuota(database.db, quotas);

  /** Reads the types of the app again if the cached ones do not include all of `slugs`. */
  async function typesOf(principal: Pusher, { appId }: PageAddress, slugs: string[]): Promise<Types> {
    const cached = cache.get(appId);
    if (cached !== undefined && slugs.every((slug) => cached.has(slug))) return cached;
    const app = await accessibleApp(database.db, principal, appId);
    const rows = await typesOfApp(within(database.db, principal.orgId), app.clone_group_id);
    const types: Types = new Map(rows.map((row) => [row.slug, row]));
    cache.set(appId, types);
    return types;
  }

  /** Throws the error that a push to this address gets whatever its body: 401, 404, 403, then 400. */
  async function assertPushable(principal: Pusher, address: PageAddress): Promise<void> {
    const { orgId, keyId } = principal;
    if (keyId !== null && !(await isKeyLive(within(database.db, orgId), keyId))) throw unauthenticated();
    const app = await accessibleApp(database.db, principal, address.appId);
    const types = await typesOfApp(within(database.db, orgId), app.clone_group_id);
    if (!types.some(({ slug }) => slug === address.slug)) throw notFound('Resource type');
    const session = isUuid(address.sessionId)
      ? await findSession(within(database.db, orgId), app.id, address.sessionId)
      : undefined;
    if (session === undefined) throw notFound('Sync session');
    await requireInProgress(within(database.db, orgId), session, principal);
  }

  async function store(principal: Pusher, address: PageAddress, body: unknown): Promise<PageResult> {
    const { orgId, keyId } = principal;
    const type = (await typesOf(principal, address, [address.slug])).get(address.slug);
    if (type === undefined) throw notFound('Resource type');
    if (!isUuid(address.sessionId)) throw notFound('Sync session');
    const page = await readPage(address.slug, type.type, body);
    const named = [page.membershipSlugs, page.assignmentSlugs, page.viaSlugs];
    const slugs = named.flatMap((records) => [...records.keys()]);
    const types = await typesOf(principal, address, slugs);
    requireKnownSlugs(page, (slug, kind) => types.get(slug)?.type === kind);
    await requireWithinQuota(orgId, address.sessionId, page);
    const stored = await storePage(database, { orgId, keyId, ...address, type, page });
    if (!stored.key_live) throw unauthenticated();
    if (stored.created === null) {
      throw recordRefusals.session_changed_while_pushed();
    }
    const { total } = page;
    return { total, created: stored.created, updated: total - stored.created };
  }

  return {
    assertPushable,
    /** Stores a whole page, or nothing if it throws. */
    async push(principal: Pusher, address: PageAddress, body: unknown): Promise<PageResult> {
      try {
        return await store(principal, address, body);
      } catch (error) {
        if (error instanceof DomainError) await assertPushable(principal, address);
        throw error;
      }
    },
  };
}
