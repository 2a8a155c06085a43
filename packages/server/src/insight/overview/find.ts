import { requireAccessibleTicket } from '#decisions/requests/tickets.ts';
import { DomainError } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { nfc } from '#kit/nfc.ts';
import { FOUND_KINDS, type Found } from './found.ts';
import { find } from './queries/find.ts';

const FEW = 5;
/** Shorter text would match nearly everything. */
const SHORTEST = 2;
const NUMBER = /^(?:req-?|#)?(\d{1,9})$/i;

/** More words are one. */
const MOST_WORDS = 8;

/**
 * Finds what the caller may read: members find apps and the requests that concern them, and keys need the scope read for
 * accounts and requests.
 */
export async function findRecords(call: Call, given: string): Promise<Found[]> {
  const all = nfc(given)
    .split(/\s+/)
    .filter((word) => word !== '');
  const text = all.join(' ');
  const words =
    all.length > MOST_WORDS ? [...all.slice(0, MOST_WORDS - 1), all.slice(MOST_WORDS - 1).join(' ')] : all;
  const [, digits] = NUMBER.exec(text) ?? [];
  const number = digits === undefined ? null : Number(digits);
  if (text.length < SHORTEST && number === null) return [];
  const found = await find(call, {
    ...{ text, words, number, few: FEW },
    readsAll: call.principal.role !== 'member',
    readsInventory: call.principal.scopes.has('read'),
  });
  const readable = await Promise.all(
    found.map(async (one) => one.kind !== 'request' || mayRead(call, one.external_uuid)),
  );
  const inOrder = ({ kind }: Found) => FOUND_KINDS.indexOf(kind);
  return found.filter((_, index) => readable[index]).sort((one, other) => inOrder(one) - inOrder(other));
}

const mayRead = (call: Call, ticketId: string) =>
  requireAccessibleTicket(call, ticketId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError) return false;
      throw error;
    },
  );
