import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, run, sql } from '#kit/sql.ts';
import type { ClientId } from '../client.ts';
import type { Discards, Previous } from '../discards.ts';

type PreviousRow = Omit<Previous, 'client'> & {
  client_type: ClientId['type'] | null;
  client_id: string | null;
};

/**
 * Returns the session before a new one: the one that its start has discarded, or else the newest other one. The new session is open, so no
 * other start can come between them.
 */
export async function previousSession(
  tx: OrgTx,
  appId: string,
  { id, superseded }: { id: string; superseded: string | undefined },
): Promise<Previous | undefined> {
  const rows = await many<PreviousRow>(tx)`
    select s.status, s.superseded_by, s.published_at, s.finished_at, s.counts, s.discards, s.client_type, s.client_id
    from sync_session s
    where s.org_id = ${tx.orgId} and s.app_id = ${appId}
      and ${superseded === undefined ? sql`s.id <> ${id}` : sql`s.id = ${superseded}`}
    order by s.started_at desc, s.id desc limit 1`;
  if (rows[0] === undefined) return undefined;
  const { client_type, client_id, ...previous } = rows[0];
  return { ...previous, client: clientIdOf(client_type, client_id) };
}

export const setDiscards = (tx: OrgTx, sessionId: string, discards: Discards) => run(tx)`
    update sync_session set discards = ${JSON.stringify(discards)}::jsonb
    where org_id = ${tx.orgId} and id = ${sessionId}`;

export interface ClientsRow {
  session_id: string;
  superseded_by: string | null;
  client_type: ClientId['type'] | null;
  client_id: string | null;
  client_name: string | null;
  /** The start of the session that superseded it, and who started that. */
  superseded_at: Date | null;
  by_type: ClientId['type'] | null;
  by_id: string | null;
  by_name: string | null;
  discards: Discards | null;
}

/** A client's name. */
const nameOf = (session: string, key: string, person: string) => sql`
  case ${sql.ref(`${session}.client_type`)}
    when 'api_key' then ${sql.ref(`${key}.name`)}
    when 'person' then coalesce(
      nullif(btrim(${sql.ref(`${person}.first_name`)} || ' ' || ${sql.ref(`${person}.last_name`)}), ''),
      ${sql.ref(`${person}.email`)})
    when 'connector' then 'Managed connector'
  end`;

/** Returns who started these sessions, and the sessions that superseded them. */
export const clientsOf = (db: OrgDb, sessionIds: readonly string[]) => many<ClientsRow>(db)`
    select s.id as session_id, s.superseded_by, s.client_type, s.client_id, ${nameOf('s', 'sk', 'su')} as client_name,
      n.started_at as superseded_at, n.client_type as by_type, n.client_id as by_id, ${nameOf('n', 'nk', 'nu')} as by_name,
      s.discards
    from sync_session s
    left join sync_session n on n.org_id = s.org_id and n.id = s.superseded_by
    left join api_key sk on sk.org_id = s.org_id and sk.id = s.client_id
    left join api_key nk on nk.org_id = s.org_id and nk.id = n.client_id
    left join platform_user su on su.org_id = s.org_id and su.id = s.client_id
    left join platform_user nu on nu.org_id = s.org_id and nu.id = n.client_id
    where s.org_id = ${db.orgId} and s.id = any(${[...sessionIds]}::uuid[])`;

export const clientIdOf = (type: ClientId['type'] | null, id: string | null): ClientId | null =>
  type === null || id === null ? null : { type, id };
