import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Profile } from '#directory/people/person.ts';
import { aboutPerson } from '#directory/people/save.ts';
import type { Left } from '#directory/people/settle.ts';
import { transaction } from '#kit/database.ts';
import type { Call as AnyCall, CallTx } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import * as queries from './queries/notes.ts';
import { attributeName, attributeOf } from './users/fields.ts';

const LONGEST_REASON = 500;
/** Texts repeat what a client sent. A cut can leave half a surrogate pair. */
const storable = (text: string, length = LONGEST_REASON) =>
  text.replaceAll('\0', '').slice(0, length).toWellFormed();
const HOUR = 3600;
const DAY = 24 * HOUR;
/** The most refused requests of a client that become events in an hour. All are counted. */
export const MOST_REFUSALS_RECORDED = 100;

const digestOf = (...parts: unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Counts the attributes of a user that were left as they were (D79): those that the request named by `sent`, and the fields in `fields`.
 * Returns an event for each, once a day for each person, attribute and reason: clients repeat their requests.
 */
export async function noteLeft(
  tx: CallTx,
  person: Profile,
  sent: readonly Left[],
  fields: readonly Left[],
): Promise<NewEvent[]> {
  const { keyId } = tx.principal;
  const named = fields.map(({ attribute, reason }) => ({
    attribute: attributeName(attributeOf(attribute)),
    reason,
  }));
  const left = new Map(
    [...sent, ...named].map(({ attribute, reason }) => [attribute, storable(reason.text)]),
  );
  if (left.size === 0 || keyId === null) return [];
  const entries = [...left].map(([attribute, reason]) => ({ attribute, reason }));
  await queries.countIgnored(tx, keyId, entries);
  const digests = entries.map(({ attribute, reason }) => digestOf('ignored', person.id, attribute, reason));
  const due = await queries.claim(tx, keyId, digests, DAY);
  return entries.flatMap((entry, index): NewEvent[] =>
    due.has(digests[index] as string)
      ? [
          {
            type: 'scim.attribute_ignored',
            ...tx.cause,
            subject: { type: 'platform_user', uuid: person.id },
            payload: { ...aboutPerson(person), api_key_id: keyId, ...entry },
          },
        ]
      : [],
  );
}

/** A request of a client that was refused. */
export interface Refusal {
  method: string;
  /** The type of resource in the address, such as `Users`, and its id. */
  resource: string;
  id: string | null;
  status: number;
  detail: string;
}

/**
 * Records refused requests of a client, without their bodies (D79): each once an hour, with how often it was refused, and
 * at most 100 of a client in an hour. Never throws: the refusal itself matters more.
 */
export async function noteRefusals(
  call: AnyCall,
  refusals: readonly Refusal[],
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const { keyId } = call.principal;
  if (keyId === null || refusals.length === 0) return;
  try {
    await transaction(call, (tx) => recordRefusals(tx, keyId, refusals.map(bounded)));
  } catch (error) {
    log.error({ err: error }, 'a refused SCIM request could not be recorded');
  }
}

/** Whether a status refuses a request. A client may look for what does not exist. Limits of rates and load say nothing of the request. */
export const isRefusal = (method: string, status: number): boolean =>
  status >= 400 &&
  status < 500 &&
  status !== 401 &&
  status !== 429 &&
  !(status === 404 && (method === 'GET' || method === 'HEAD'));

const LONGEST_ID = 200;
const bounded = ({ resource, id, detail, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  resource: storable(resource, LONGEST_ID),
  id: id === null ? null : storable(id, LONGEST_ID),
  detail: storable(detail),
});

async function recordRefusals(tx: CallTx, keyId: string, refusals: readonly Refusal[]): Promise<void> {
  const { hour, recorded } = await queries.countRefused(tx, keyId, refusals.length);
  const room = MOST_REFUSALS_RECORDED - recorded;
  if (room <= 0) return;
  const byDigest = Map.groupBy(refusals, ({ method, resource, id, detail }) =>
    digestOf('refused', method, resource, id, detail),
  );
  const some = [...byDigest].slice(0, room);
  const due = await queries.claim(
    tx,
    keyId,
    some.map(([digest]) => digest),
    HOUR,
    some.map(([, same]) => same.length),
  );
  if (due.size === 0) return;
  await queries.countRecorded(tx, keyId, hour, due.size);
  await recordEvents(
    tx,
    some.flatMap(([digest, [refusal]]): NewEvent[] => {
      const count = due.get(digest);
      if (count === undefined || refusal === undefined) return [];
      return [
        {
          type: 'scim.request_refused',
          ...tx.cause,
          subject: { type: 'system', uuid: tx.orgId },
          payload: { api_key_id: keyId, ...refusal, count },
        },
      ];
    }),
  );
}
