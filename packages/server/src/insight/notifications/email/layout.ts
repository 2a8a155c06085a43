import { shortened } from '#log/notices/shortened.ts';
import { type Message, MOST_LISTED, oneLine, paragraph, rest } from '../message.ts';

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

export interface LetterOptions {
  /** The organization's name. */
  organization: string;
  isDigest: boolean;
  /** The page with the recipient's preferences. Null: they cannot turn these off. */
  preferences: string | null;
}

const LONGEST_SUBJECT = 150;

/** Returns messages as one email. */
export function letterOf(messages: readonly Message[], options: LetterOptions): Letter {
  const { organization, isDigest, preferences } = options;
  const listed = messages.slice(0, MOST_LISTED);
  const more = rest(messages);
  const name = oneLine(organization);
  const foot = `Sent by Gatehouse of ${name}.`;
  const change = 'Change which emails you get';
  const text = [
    ...listed.map(({ title, body, link }) =>
      [oneLine(title), paragraph(body), link].filter((part) => part !== null && part !== '').join('\n'),
    ),
    ...(more === null ? [] : [more]),
    ['-- ', foot, ...(preferences === null ? [] : [`${change}: ${preferences}`])].join('\n'),
  ].join('\n\n');
  return {
    subject: shortened(subjectOf(messages, isDigest), LONGEST_SUBJECT),
    text: `${text}\n`,
    html: page([
      ...listed.map(section),
      ...(more === null ? [] : [`<p class="quiet">${escapeText(more)}</p>`]),
      `<p class="quiet">${escapeText(foot)}${
        preferences === null ? '' : ` <a href="${escapeText(preferences)}">${change}</a>`
      }</p>`,
    ]),
  };
}

function subjectOf(messages: readonly Message[], isDigest: boolean): string {
  if (isDigest)
    return `Your daily digest: ${messages.length} ${messages.length === 1 ? 'notification' : 'notifications'}`;
  return messages.length === 1
    ? oneLine(messages[0]?.title ?? '')
    : `${messages.length} notifications from Gatehouse`;
}

const section = ({ title, body, link }: Message) =>
  [
    `<h2>${escapeText(oneLine(title))}</h2>`,
    body === '' ? '' : `<p>${escapeText(paragraph(body)).replaceAll('\n', '<br>')}</p>`,
    link === null ? '' : `<p><a class="button" href="${escapeText(link)}">Open in Gatehouse</a></p>`,
  ].join('');

/** No images, no scripts, nothing from elsewhere: opening the email tells nobody. */
const page = (sections: string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #ffffff; }
main { max-width: 560px; margin: 0 auto; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 24px 0 8px; }
a { color: #0b57d0; }
a.button { font-weight: 600; }
.quiet { font-size: 13px; color: #5f6368; }
@media (prefers-color-scheme: dark) {
  body { color: #ececec; background: #1b1b1b; }
  a { color: #8ab4f8; }
  .quiet { color: #a0a4a8; }
}
</style>
</head>
<body><main>
${sections.join('\n')}
</main></body>
</html>
`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
