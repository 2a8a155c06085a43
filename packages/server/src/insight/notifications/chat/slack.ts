import { type Message, MOST_LISTED, oneLine, rest, shortened } from '../message.ts';

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
  const lines = [`*${escapeText(oneLine(title))}*`, escapeText(body)].filter((line) => line !== '');
  const open = link === null ? '' : `\n<${link}|Open in Gatehouse>`;
  const text = shortened(lines.join('\n'), LONGEST_SECTION - open.length).replace(/&[a-z]*…$/, '…');
  return block(text + open);
}

const block = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** Without this, a name could contain a link, or mention everyone in the channel. */
const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
