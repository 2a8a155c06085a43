import { shortened } from '#log/notices/shortened.ts';
import { type Message, MOST_LISTED, oneLine, paragraph, rest } from '../message.ts';

const LONGEST_TEXT = 2900;

/**
 * Returns messages as an Adaptive Card in the body that the Workflows app of Microsoft Teams expects. Text is in
 * RichTextBlocks, which show it as it is: a TextBlock would read Markdown in names.
 */
export function teamsMessage(messages: readonly Message[]) {
  const more = rest(messages);
  const listed = messages.slice(0, MOST_LISTED);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [...listed.flatMap(blocks), ...(more === null ? [] : [text({ text: more, isSubtle: true })])],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

const blocks = ({ title, body, link }: Message, index: number) => [
  { ...text({ text: oneLine(title), weight: 'Bolder' }), separator: index > 0 },
  ...(body === '' ? [] : [text({ text: shortened(paragraph(body), LONGEST_TEXT) })]),
  ...(link === null
    ? []
    : [{ type: 'ActionSet', actions: [{ type: 'Action.OpenUrl', title: 'Open in Gatehouse', url: link }] }]),
];

const text = (run: { text: string; weight?: string; isSubtle?: boolean }) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', ...run }],
});
