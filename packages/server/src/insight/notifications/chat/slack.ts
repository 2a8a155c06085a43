import { shortened } from '#log/notices/shortened.ts';
import { type Message, MOST_LISTED, oneLine, paragraph, rest } from '../message.ts';

const LONGEST_SECTION = 2900;

/** Returns messages as the body of a Slack incoming webhook. `text` is the fallback for notifications. */
export function slackMessage(messages: readonly Message[]) {
  const more = rest(messages);
  const sections = messages.slice(0, MOST_LISTED).map(section);
  return {
    text: escapeText(
      messages.length === 1 ? oneLine(messages[0]?.title ?? '') : `${messages.length} notifications`,
    ),
    blocks: [...sections, ...(more === null ? [] : [block(more)])],
  };
}

function section({ title, body, link }: Message) {
  const lines = [`*${escapeText(oneLine(title))}*`, escapeText(paragraph(body))].filter(
    (line) => line !== '',
  );
  const open = link === null ? '' : `\n<${link}|Open in Gatehouse>`;
  const text = shortened(lines.join('\n'), LONGEST_SECTION - open.length).replace(/&[a-z]*…$/, '…');
  return block(text + open);
}

/** Verbatim: addresses and `@names` in the text become neither links nor mentions. */
const block = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } });

/** Signs that format a text, except within a word. Slack has no way to escape them, but formats nothing between characters without width. */
const FORMATTING = /[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Without this, a name could contain a link, mention everyone in the channel, or format the text. */
const escapeText = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(FORMATTING, '\u200b$&\u200b');
