import { appReference } from '#inventory/apps/reference.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import { isEmail } from '#kit/email.ts';
import { DomainError } from '#kit/errors.ts';
import { type Call, identityOf } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import { accountOf } from './accounts.ts';
import { linkUnlinked } from './links.ts';
import * as queries from './queries/suggestions.ts';
import {
  type LinkResult,
  SUGGESTION_REASONS,
  type Suggestion,
  type SuggestionReason,
  type Unlinked,
} from './unlinked-schemas.ts';

const MOST_SUGGESTIONS = 5;

/** Names that are less alike are not suggested. */
const LEAST_LIKENESS = 0.3;

/**
 * Lists accounts that have neither a person nor an owner, each with the people to whom it may belong, the likeliest first.
 * Suggestions are computed for the accounts of the page only.
 */
export async function listUnlinked(db: OrgDb, app: string | null, page: Page): Promise<Slice<Unlinked>> {
  const { results, ...counts } = await queries.listUnlinked(db, app === null ? null : [app], page);
  const candidates = await queries.findCandidates(db, results.flatMap(probesFor));
  const byAccount = Map.groupBy(candidates, ({ account_id }) => account_id);
  return {
    ...counts,
    results: results.map(({ id, app_id, app_name, ...account }) => ({
      ...account,
      external_uuid: id,
      app: appReference(app_id, app_name),
      suggestions: ranked(byAccount.get(id) ?? []),
    })),
  };
}

function probesFor(account: queries.UnlinkedAccount): queries.Probe[] {
  const { email, username } = account;
  const local = localPart(email);
  const handle = localPart(username);
  const names = [`${account.first_name} ${account.last_name}`.trim(), account.display_name].filter(Boolean);
  const [name = handle || local] = names;
  const values: Record<SuggestionReason, string[]> = {
    email: [email, username.includes('@') ? username : ''],
    username: [username, local],
    local_part: [local, handle],
    name: [...names, handle, local].flatMap(nameKeys),
  };
  return SUGGESTION_REASONS.flatMap((kind) =>
    [...new Set(values[kind])]
      .filter((value) => value !== '')
      .map((value) => ({ account_id: account.id, kind, value, name })),
  );
}

/** A text that only resembles an email, such as one in angle brackets, stands for nobody. */
const localPart = (text: string) => (text.includes('@') && !isEmail(text) ? '' : (text.split('@')[0] ?? ''));

/**
 * Returns the initial and the last name that a text may stand for: `Ada Lovelace`, `Lovelace, Ada`, `ada.lovelace` and
 * `alovelace` have the key `alovelace`.
 */
function nameKeys(text: string): string[] {
  const [first = '', ...rest] = text.split(/[\s.,_-]+/).filter(Boolean);
  const last = rest.at(-1);
  if (last === undefined) return [first];
  const initial = ([character = '']: Iterable<string>) => character;
  return [
    initial(first) + last,
    initial(first) + rest.join(''),
    initial(last) + first,
    initial(rest[0] ?? '') + first,
  ];
}

function ranked(candidates: readonly queries.Candidate[]): Suggestion[] {
  const best = new Map<string, Suggestion>();
  for (const candidate of candidates) {
    const { kind, likeness, user } = candidate;
    if (kind === 'name' && likeness < LEAST_LIKENESS) continue;
    const score = scoreOf(kind, likeness);
    if (score > (best.get(user.external_uuid)?.score ?? 0))
      best.set(user.external_uuid, { user, score, reason: kind });
  }
  return [...best.values()]
    .sort(
      (one, other) => other.score - one.score || (one.user.external_uuid < other.user.external_uuid ? -1 : 1),
    )
    .slice(0, MOST_SUGGESTIONS);
}

const BASE: Record<SuggestionReason, number> = { email: 90, username: 75, local_part: 65, name: 30 };

/** A name that is alike raises the score of every reason. */
const scoreOf = (reason: SuggestionReason, likeness: number) =>
  Math.round(BASE[reason] + likeness * (reason === 'name' ? 50 : 10));

const CHANGES = { dismissed: queries.dismiss, restored: queries.restore };

/**
 * Dismisses a person who is suggested for an account, or undoes that. Repeating it changes nothing. Throws 404 for an unknown
 * account or person.
 */
export async function changeSuggestion(
  call: Call,
  accountId: string,
  userId: string,
  change: keyof typeof CHANGES,
): Promise<void> {
  const account = await accountOf(call, accountId);
  const person = await identityOf(call, userId);
  await transaction(call, async (tx) => {
    if (!(await CHANGES[change](tx, account.id, person.id))) return;
    const { app_id, app_name, id, external_id, email, username, user } = account;
    await recordEvents(tx, [
      {
        type: `account_link.${change}`,
        actor: call.cause.actor,
        subject: { type: 'app_user', uuid: id },
        source: call.cause.source,
        payload: {
          app_id,
          app_name,
          account_id: id,
          external_id,
          email,
          username,
          user_id: user,
          person_id: person.id,
        },
      },
    ]);
  });
}

/**
 * Links unlinked accounts to people on behalf of an administrator, each in a transaction of its own, so that one that cannot
 * be linked does not affect the others.
 */
export async function linkAll(
  call: Call,
  links: readonly Pick<LinkResult, 'account' | 'user'>[],
): Promise<LinkResult[]> {
  const results: LinkResult[] = [];
  for (const { account, user } of links) {
    const detail = await linkUnlinked(call, account, user).then(() => null, detailOf);
    results.push({ account, user, linked: detail === null, detail });
  }
  return results;
}

function detailOf(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  throw error;
}
