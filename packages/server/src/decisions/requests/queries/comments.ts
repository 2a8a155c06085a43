import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, run, sql, value } from '#kit/sql.ts';
import type { Comment, CommentKind } from '../ticket-schemas.ts';

/** The author with the email that they had, and with their present name. */
const author = (comment: string, person: string) => {
  const [id, email] = [`${comment}.author_id`, `${comment}.author_email`].map((column) => sql.ref(column));
  const [first, last] = [`${person}.first_name`, `${person}.last_name`].map((column) => sql.ref(column));
  return sql`jsonb_build_object('external_uuid', ${id}, 'email', ${email},
    'first_name', coalesce(${first}, ''), 'last_name', coalesce(${last}, ''))`;
};

/** Oldest first. */
export async function listComments(db: OrgDb, ticketId: string, page: Page): Promise<Slice<Comment>> {
  const counted = await value<number>(db)`
    select count(*) as n from ticket_comment where org_id = ${db.orgId} and ticket_id = ${ticketId}`;
  const rows = await many<Comment>(db)`
    select c.id as external_uuid, c.kind, c.comment, c.created_at, ${author('c', 'u')} as author
    from ticket_comment c left join platform_user u on u.org_id = c.org_id and u.id = c.author_id
    where c.org_id = ${db.orgId} and c.ticket_id = ${ticketId}
    order by c.created_at, c.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

export const countComments = (tx: OrgTx, ticketId: string) => value<number>(tx)`
    select count(*) as n from ticket_comment
    where org_id = ${tx.orgId} and ticket_id = ${ticketId} and kind = 'comment'`;

export async function insertComment(
  tx: OrgTx,
  ticketId: string,
  { author: authorId, kind, comment }: { author: string; kind: CommentKind; comment: string },
): Promise<Comment> {
  return (await one<Comment>(tx)`
    with added as (
      insert into ticket_comment (org_id, ticket_id, author_id, author_email, kind, comment)
      select ${tx.orgId}::uuid, ${ticketId}::uuid, u.id, u.email, ${kind}::text, ${comment}::text
      from platform_user u where u.org_id = ${tx.orgId} and u.id = ${authorId}
      returning id, kind, comment, created_at, author_id, author_email)
    select c.id as external_uuid, c.kind, c.comment, c.created_at, ${author('c', 'u')} as author
    from added c join platform_user u on u.org_id = ${tx.orgId} and u.id = c.author_id`) as Comment;
}

/** Notes that an approver waits for an answer. */
export async function askForInformation(
  tx: OrgTx,
  ticketId: string,
  { author, comment, created_at }: Comment,
): Promise<void> {
  const { external_uuid, email } = author;
  const asked = JSON.stringify({ by: { external_uuid, email }, at: created_at.toISOString(), comment });
  await run(tx)`
    update ticket set information_requested = ${asked}::jsonb
    where org_id = ${tx.orgId} and id = ${ticketId}`;
}

/** Notes the answer. The seconds since the question do not count for escalation. */
export const receiveInformation = (
  tx: OrgTx,
  ticketId: string,
  { step, seconds }: { step: number; seconds: number },
) => run(tx)`
    update ticket set information_requested = null, paused_step = ${step},
      paused_seconds = ${seconds} + case when paused_step = ${step} then coalesce(paused_seconds, 0) else 0 end
    where org_id = ${tx.orgId} and id = ${ticketId}`;
