import type { Detail } from '#log/notices/draft.ts';
import { shortened } from '#log/notices/shortened.ts';
import { type Message, MOST_LISTED, oneLine, paragraph, rest } from '../message.ts';
import { isShown, LONGEST_BUTTON, LONGEST_LABEL, LONGEST_TITLE, MOST_DETAILS, warningsOf } from './parts.ts';

interface Markdown {
  type: 'mrkdwn';
  text: string;
  verbatim: true;
}

interface Button {
  type: 'button';
  text: { type: 'plain_text'; text: string };
  url: string;
}

interface Block {
  type: 'section' | 'actions';
  text?: Markdown;
  fields?: Markdown[];
  elements?: Button[];
}

/** Slack accepts 3,000 characters in the text of a section, and 2,000 in each of its 10 fields. */
const LONGEST_SECTION = 2900;
const LONGEST_FIELD = 400;

/**
 * Returns messages as the body of a Slack incoming webhook. `text` is the fallback for notifications. Each message takes two
 * blocks at most, of the 50 that Slack accepts.
 */
export function slackMessage(messages: readonly Message[]) {
  const more = rest(messages);
  const blocks = messages.slice(0, MOST_LISTED).flatMap(blocksOf);
  return {
    text: escapeText(
      messages.length === 1 ? titleOf(messages[0] as Message) : `${messages.length} notifications`,
    ),
    blocks: [...blocks, ...(more === null ? [] : [block(more)])],
  };
}

const titleOf = ({ title }: Message) => shortened(oneLine(title), LONGEST_TITLE);

/**
 * The title is a link, too: after a press on a button, Slack shows a warning if the app of the webhook does not answer, although
 * the link has opened.
 */
function blocksOf(message: Message): Block[] {
  const { body, link, details = [], open = 'Open in Gatehouse' } = message;
  const title = escapeText(titleOf(message));
  const head = link === null ? `*${title}*` : `*<${link.replaceAll('&', '&amp;')}|${title}>*`;
  const lines = [body, ...warningsOf(details)].map((line) => escapeText(paragraph(line)));
  const text = cut(lines.filter((line) => line !== '').join('\n'), LONGEST_SECTION - head.length);
  const fields = details.filter(isShown).slice(0, MOST_DETAILS).map(field);
  return [
    {
      ...block(text === '' ? head : `${head}\n${text}`),
      ...(fields.length === 0 ? {} : { fields }),
    },
    ...(link === null ? [] : [button(link, open)]),
  ];
}

const button = (url: string, words: string): Block => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      text: { type: 'plain_text', text: shortened(words, LONGEST_BUTTON) },
      url,
    },
  ],
});

/** Verbatim: addresses and `@names` in the text become neither links nor mentions. */
const markdown = (text: string): Markdown => ({ type: 'mrkdwn', text, verbatim: true });

const block = (text: string): Block => ({ type: 'section', text: markdown(text) });

const field = ({ label, text }: Detail) =>
  markdown(
    `*${cut(escapeText(oneLine(label)), LONGEST_LABEL)}*\n${cut(escapeText(oneLine(text)), LONGEST_FIELD)}`,
  );

/** Shortens an escaped text, without half an escape at its end. */
const cut = (text: string, most: number) => shortened(text, most).replace(/&[a-z]*…$/, '…');

/** Signs that format a text, except within a word. Slack has no way to escape them, but formats nothing between characters without width. */
const FORMATTING = /[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Without this, a name could contain a link, mention everyone in the channel, or format the text. */
const escapeText = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(FORMATTING, '\u200b$&\u200b');
