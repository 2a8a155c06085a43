import type { Text } from './text.ts';

interface Refused {
  pattern: RegExp;
  instead: string;
  /** Only texts of these kinds. */
  kinds?: Text['kind'][];
  /** Only files with such a path. */
  paths?: RegExp;
}

/** Texts that people read in the console. */
const CONSOLE = /^packages\/console\/src\/(?!.*\.test\.|api\/)/;

/** Words and sentences that no text uses, and what to write instead (CONTRIBUTING.md, Writing). */
const REFUSED: Refused[] = [
  { pattern: /\bat once\b/i, instead: 'immediately, or at the same time' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bmeanwhile\b/i, instead: 'in the meantime, or since' },
  { pattern: /\blikewise\b/i, instead: 'also' },
  { pattern: /\bbesides\b/i, instead: 'also, other than, or in addition to' },
  { pattern: /\btakes? along\b/i, instead: 'include' },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b)\w+/i, instead: 'is not a ...' },
  { pattern: /\bfulfilment/i, instead: 'fulfillment' },
  { pattern: /\bcancell(?:ed|ing|able)\b/i, instead: 'canceled; the API has the status `cancelled`' },
  { pattern: /\badopt(?:ion|s|ed)\b/i, instead: 'correlation, or takes over' },
  { pattern: /\bawaited accounts?\b/i, instead: 'pending account' },
  { pattern: /\bstubs?\b/i, instead: 'placeholder' },
  { pattern: /\b(?:lower|higher|upper|same|other|different) floors?\b/i, instead: 'layer' },
  { pattern: /\bgiv(?:e|es|en|ing) back\b/i, instead: 'restore, or revert' },
  { pattern: /\bfeed a SIEM\b/i, instead: 'send events to a SIEM' },
  { pattern: /\banswers? for\b/i, instead: 'is responsible for' },
  { pattern: /\blisted keys?\b/i, instead: 'app-scoped key' },
  { pattern: /\b(?:SoD clash|waivers?)\b/i, instead: 'conflict, or exception' },
  {
    pattern: /^(?:What(?:ever)?|Who(?:ever)?|That which|As|From|Not|Of|Answers|Knows|Tells)\b(?!.*\?)/,
    instead: 'a verb ("Returns ...") or a noun',
    kinds: ['doc'],
  },
  {
    pattern:
      /(?:^|[.!?)] )(?:What(?:ever)?|Who(?:ever)?|That which|Of the [^.?!,]*, those)\b[^.?!]* [^.?!]*\.(?:\s|$)/,
    instead: 'a noun as the subject',
  },
  // The API has `user` and `ticket`. People read of people and requests.
  {
    pattern: /\b(?:tickets?|users?)\b/i,
    instead: 'person, or request',
    kinds: ['error'],
    paths: /^packages\/server\/src\/(?!.*\/scim\/)/,
  },
  {
    pattern: /\b(?:tickets?|users?)\b/i,
    instead: 'person, or request',
    kinds: ['string'],
    // The forms of other products have names of their own.
    paths: /^packages\/console\/src\/(?!.*\.test\.|pages\/identity-provider\/products\.ts)/,
  },
  // One word each, also where the API has another one.
  {
    pattern: /\bunowned accounts?\b/i,
    instead: 'account without owner',
    kinds: ['string'],
    paths: CONSOLE,
  },
  { pattern: /\bdeadlines?\b/i, instead: 'due', kinds: ['string'], paths: CONSOLE },
  { pattern: /\b(?:permissions|entitlements)\b/i, instead: 'access', kinds: ['string'], paths: CONSOLE },
  { pattern: /\b(?:claimed|dequeued)\b/i, instead: 'picked up', kinds: ['string'], paths: CONSOLE },
  // What the engine does is not what people see.
  {
    pattern:
      /\b(?:preempt(?:s|ed)?|ingest(?:s|ed)?|upserts?|enqueued?|ticks?|published records|records are published)\b/i,
    instead: 'replaced, imported, or what people see',
    kinds: ['string'],
    paths: CONSOLE,
  },
  {
    pattern: /\btickets?\b/i,
    instead: 'request',
    kinds: ['prose'],
    paths: /^docs\/(?!reference\/|events\.md)/,
  },
];

/** Names and values of the API, code and the targets of links are not words of a text. */
const CODE =
  /`[^`]*`|'[\w.]+'|^cancelled$|\((?:\w+, )*\w+\)\.?$|\b\w+(?:[._]\w+)+\b(?: cancelled\b)?|\bstatus=\w+|> cancelled\b|\]\([^)]*\)/g;

const withoutCode = ({ kind, text }: Text) =>
  kind === 'string' && !text.includes(' ')
    ? ''
    : text.replaceAll(CODE, (code) => code.replaceAll(/\w/g, 'x'));

/** Returns the words of a text of this file that are refused, each with what to write instead. */
export function refusedIn(path: string, text: Text): string[] {
  const words = withoutCode(text);
  return REFUSED.flatMap(({ pattern, instead, kinds, paths }) => {
    if (kinds?.includes(text.kind) === false || paths?.test(path) === false) return [];
    const found = pattern.exec(words)?.[0];
    return found === undefined ? [] : [`"${found.trim()}": write ${instead}`];
  });
}
