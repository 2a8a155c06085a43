import { accessibleApp } from '../apps/apps.ts';
import { type Principal, unauthenticated } from '../identity/principal.ts';
import type { Database } from '../platform/database/open.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import { findSession } from './queries.ts';
import { parsePage, requireKnownSlugs } from './record.ts';
import { refuseUnlessInProgress } from './session.ts';
import { isKeyLive, stagePage, type TypeRow, typesOfApp } from './stage-queries.ts';

/** Contract 2.4. */
export interface PageResult {
  total: number;
  created: number;
  updated: number;
}

export interface PageAddress {
  appId: string;
  sessionId: string;
  slug: string;
}

const REMEMBERED_APPS = 10_000;

/**
 * Stages pages of records (contract 4.5, D15, D19) with one round trip each: resource types never change or go, so
 * those that were seen once are remembered, and the statement itself confirms key, app and session. Whatever it
 * refuses is then looked into at leisure, for the right answer in the right order (D6).
 */
export function stager(database: Database) {
  const remembered = new Map<string, Map<string, TypeRow>>();

  async function typesOf(
    principal: Principal,
    { appId }: PageAddress,
    wanted: (types: Map<string, TypeRow>) => boolean,
  ) {
    const known = remembered.get(appId);
    if (known !== undefined && wanted(known)) return known;
    const app = await accessibleApp(database.db, principal, appId);
    const rows = await typesOfApp(database.db, principal.orgId, app.clone_group_id);
    const types = new Map(rows.map((row) => [row.slug, row]));
    remembered.delete(appId);
    remembered.set(appId, types);
    if (remembered.size > REMEMBERED_APPS) remembered.delete(remembered.keys().next().value as string);
    return types;
  }

  /** Throws why a push to this address would fail whatever its body: 401, 404, 403, then 400 (contract 3.1). */
  async function assertPushable(principal: Principal, address: PageAddress): Promise<void> {
    const { orgId, keyId } = principal;
    if (keyId !== null && !(await isKeyLive(database.db, orgId, keyId))) throw unauthenticated();
    const app = await accessibleApp(database.db, principal, address.appId);
    const types = await typesOfApp(database.db, orgId, app.clone_group_id);
    if (!types.some(({ slug }) => slug === address.slug)) throw notFound('Resource type');
    const session = isUuid(address.sessionId)
      ? await findSession(database.db, orgId, app.id, address.sessionId)
      : undefined;
    if (session === undefined) throw notFound('Sync session');
    refuseUnlessInProgress(session);
  }

  async function push(principal: Principal, address: PageAddress, body: unknown): Promise<PageResult> {
    const { orgId, keyId } = principal;
    const types = await typesOf(principal, address, (known) => known.has(address.slug));
    const type = types.get(address.slug);
    if (type === undefined) throw notFound('Resource type');
    if (!isUuid(address.sessionId)) throw notFound('Sync session');
    const page = parsePage(address.slug, type.type, body);
    const slugs = [...page.membershipSlugs.keys(), ...page.assignmentSlugs.keys()];
    const allTypes = await typesOf(principal, address, (known) => slugs.every((slug) => known.has(slug)));
    requireKnownSlugs(page, (slug, kind) => allTypes.get(slug)?.type === kind);
    const staged = await stagePage(database, { orgId, keyId, ...address, type, page });
    if (!staged.key_live) throw unauthenticated();
    if (staged.created === null) {
      throw new DomainError(
        'conflict',
        'The sync session changed while the page was being stored. Push it again.',
      );
    }
    const total = page.ids.length;
    return { total, created: staged.created, updated: total - staged.created };
  }

  return {
    assertPushable,
    /** A page is stored as a whole or not at all. */
    async push(principal: Principal, address: PageAddress, body: unknown): Promise<PageResult> {
      try {
        return await push(principal, address, body);
      } catch (error) {
        if (error instanceof DomainError) await assertPushable(principal, address);
        throw error;
      }
    },
  };
}
