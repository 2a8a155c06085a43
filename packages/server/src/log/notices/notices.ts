import type { OrgDb } from '#kit/database.ts';
import { findAdministrators, type Role } from '#kit/identity.ts';
import type { EventType } from '#log/events/catalog.ts';
import type { LoggedEvent } from '#log/events/follow.ts';
import type { About, Detail, Draft, Recipient } from './draft.ts';
import type { KindName } from './kinds.ts';

/** The notices of a feature. It declares this in its `notices.ts`, and `insight/notifications` stores and sends it. */
export interface Notices {
  /** The notifications of events. */
  handlers?: Partial<Record<EventType, Handler>>;
  /** The notifications that are due by the clock, in parts. The parts have the same ones every time until their time has passed. */
  due?: (options: DueOptions) => Generator<Part>;
  /** For kinds about something that waits for people: returns those of the things that still wait. */
  waits?: Partial<Record<KindName, Check>>;
  /** For kinds that channels get: what a channel shows about the things that still wait. Channels get nothing about the others. */
  details?: Partial<Record<KindName, Details>>;
  /** For kinds about a time that their keys name: returns the keys that still hold. Another time has a notification of its own. */
  keys?: Partial<Record<KindName, (db: OrgDb) => Promise<string[]>>>;
  /** Returns those of the things that a member may see. Members see no others than these. */
  visible?: Partial<Record<About['type'], Visible>>;
}

/** Returns the notifications of an event. */
export type Handler = (context: Context) => Promise<Draft[]>;

/** An event, and how to look up what its notifications need. */
export interface Context {
  org: OrgDb;
  event: LoggedEvent;
  /** A text of the payload. */
  text: (field: string) => string;
  /** All events of the batch. */
  batch: readonly LoggedEvent[];
  /** Reads something once for all events of the batch. */
  once: <T>(key: string, read: () => Promise<T>) => Promise<T>;
}

export interface DueOptions {
  /** Days after which an undecided request expires. */
  expiryDays: number;
  /** Returns the people who were told about each wait, by the id of what waits. The keys of waits begin those of notifications. */
  peopleTold: (db: OrgDb, waits: readonly { id: string; key: string }[]) => Promise<Map<string, Set<string>>>;
}

/** Returns those of the things that still wait for the person, with as many statements for many as for one. */
export type Check = (
  db: OrgDb,
  person: { id: string; role: Role },
  ids: readonly string[],
) => Promise<Iterable<string>>;

/** Returns the details of those of the things that still wait for somebody, by id. */
export type Details = (
  db: OrgDb,
  ids: readonly string[],
  options: DetailOptions,
) => Promise<Map<string, Detail[]>>;

export interface DetailOptions {
  /** Days after which an undecided request expires. */
  expiryDays: number;
  /** Whether the readers may see the reasons that people gave. */
  showReasons: boolean;
}

type Visible = (db: OrgDb, ids: readonly string[], memberId: string) => Promise<ReadonlySet<string>>;

/** Reads some of the drafts that are due. */
export type Part = (db: OrgDb) => Promise<Draft[]>;

/** Requests or tasks of one part. */
export const PAGE = 200;

export interface DraftPage<Place> {
  drafts: Draft[];
  /** Undefined: it was the last page. */
  next: Place | undefined;
}

/** Returns pages one after the other. A page may be read again, after a deadlock. */
export function* pages<Place>(
  first: Place,
  read: (db: OrgDb, after: Place) => Promise<DraftPage<Place>>,
): Generator<Part> {
  let place: Place | undefined = first;
  while (place !== undefined) {
    const after: Place = place;
    yield async (db) => {
      const { drafts, next } = await read(db, after);
      place = next;
      return drafts;
    };
  }
}

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export const toAll = (userIds: readonly (string | null | undefined)[]): Recipient[] =>
  [...new Set(userIds)].flatMap((userId) => (typeof userId === 'string' ? [{ userId }] : []));

export const administrators = async (db: OrgDb): Promise<Recipient[]> =>
  toAll((await findAdministrators(db)).map(({ id }) => id));

/** Returns the people to whom work was given who did not have it before, themselves or for somebody who is absent. */
export function newAmong(awaited: readonly Recipient[], { payload, actor }: LoggedEvent): Recipient[] {
  const given = new Set(payload.to as string[]).difference(new Set(payload.from as string[]));
  const isNew = ({ userId, onBehalfOf }: Recipient) =>
    given.has(userId) || (typeof onBehalfOf === 'string' && given.has(onBehalfOf));
  return awaited.filter((one) => isNew(one) && one.userId !== actor.uuid);
}
