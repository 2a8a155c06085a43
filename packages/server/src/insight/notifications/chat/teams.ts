import type { Detail } from '#log/notices/draft.ts';
import { shortened } from '#log/notices/shortened.ts';
import { type Message, MOST_LISTED, oneLine, paragraph, rest } from '../message.ts';
import { isShown, LONGEST_BUTTON, LONGEST_LABEL, LONGEST_TITLE, MOST_DETAILS, warningsOf } from './parts.ts';

const LONGEST_TEXT = 2900;
const LONGEST_DETAIL = 400;
/** Teams refuses messages of more than 28 KB. The card's frame takes less than 1 KB. */
const MOST_BYTES = 26_000;

/**
 * Returns messages as an Adaptive Card in the body that the Workflows app of Microsoft Teams expects. Text is in
 * RichTextBlocks, which show it as it is: a TextBlock or a FactSet would read Markdown in names.
 */
export function teamsMessage(messages: readonly Message[]) {
  const listed = fitting(messages.slice(0, MOST_LISTED).map(container));
  const more = rest(messages, listed.length);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [...listed, ...(more === null ? [] : [text({ text: more, isSubtle: true })])],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

/** Returns the first messages, as many as one post can have. */
function fitting<T>(containers: readonly T[]): T[] {
  let bytes = 0;
  return containers.filter((container, index) => {
    bytes += Buffer.byteLength(JSON.stringify(container));
    return index === 0 || bytes <= MOST_BYTES;
  });
}

function container({ title, body, link, details = [], open = 'Open in Gatehouse' }: Message, index: number) {
  const lines = body === '' ? [] : [text({ text: shortened(paragraph(body), LONGEST_TEXT) })];
  return {
    type: 'Container',
    separator: index > 0,
    items: [
      text({ text: shortened(oneLine(title), LONGEST_TITLE), weight: 'Bolder' }),
      ...lines,
      ...details.filter(isShown).slice(0, MOST_DETAILS).map(detail),
      ...warningsOf(details).map((warning) =>
        text({ text: shortened(paragraph(warning), LONGEST_DETAIL), color: 'Attention' }),
      ),
      ...(link === null
        ? []
        : [
            {
              type: 'ActionSet',
              actions: [{ type: 'Action.OpenUrl', title: shortened(open, LONGEST_BUTTON), url: link }],
            },
          ]),
    ],
  };
}

interface Run {
  text: string;
  weight?: string;
  color?: string;
  isSubtle?: boolean;
}

const text = (...runs: Run[]) => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});

const detail = ({ label, text: value }: Detail) =>
  text(
    { text: `${shortened(oneLine(label), LONGEST_LABEL)}: `, isSubtle: true },
    { text: shortened(oneLine(value), LONGEST_DETAIL) },
  );
