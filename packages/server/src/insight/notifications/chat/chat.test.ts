import { expect, test } from 'vitest';
import type { Detail } from '#log/notices/draft.ts';
import type { Message } from '../message.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';

const LONG = 'ä&<*'.repeat(2000);
const message = (more: Partial<Message> = {}): Message => ({
  title: 'Decision needed: #1 access to Payroll',
  body: 'Open the request to approve or deny it.',
  link: 'https://gatehouse.example/requests/1?a=1&b=2',
  open: 'Open request',
  details: [
    { label: 'Requested by', text: 'Ada Lovelace (ada@example.com)' },
    { label: 'Until', text: 'No end date' },
    { label: 'Warning', text: 'Escalated: its approvers have not decided in time.', isWarning: true },
  ],
  ...more,
});
const longest = message({
  title: LONG,
  body: LONG,
  open: LONG,
  details: Array.from(
    { length: 40 },
    (_, n): Detail => ({ label: LONG, text: LONG, isWarning: n % 2 === 0 }),
  ),
});

/** Returns everything in a value that is an object with a type. */
const partsOf = (value: unknown): { type: string; [field: string]: unknown }[] => {
  if (value === null || typeof value !== 'object') return [];
  const parts = Object.values(value).flatMap(partsOf);
  return 'type' in value ? [value as { type: string }, ...parts] : parts;
};

test('a post to Slack has the details as fields, the warnings in the text, and a button that opens the page', () => {
  const { blocks } = slackMessage([message()]);

  expect(blocks).toEqual([
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        verbatim: true,
        text: [
          '*<https://gatehouse.example/requests/1?a=1&amp;b=2|Decision needed: #1 access to Payroll>*',
          'Open the request to approve or deny it.',
          '⚠ Escalated: its approvers have not decided in time.',
        ].join('\n'),
      },
      fields: [
        { type: 'mrkdwn', verbatim: true, text: '*Requested by*\nAda Lovelace (ada@example.com)' },
        { type: 'mrkdwn', verbatim: true, text: '*Until*\nNo end date' },
      ],
    },
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          text: { type: 'plain_text', text: 'Open request' },
          url: 'https://gatehouse.example/requests/1?a=1&b=2',
        },
      ],
    },
  ]);
});

test.each([1, 20, 45])('%i of the longest messages keep the limits of Slack', (count) => {
  const { text, blocks } = slackMessage(Array.from({ length: count }, () => longest));

  expect(text.length).toBeLessThan(3000);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const { text: shown, fields = [], elements = [] } of blocks) {
    expect(shown?.text.length ?? 1).toBeLessThanOrEqual(3000);
    expect(fields.length).toBeLessThanOrEqual(10);
    for (const field of fields) expect(field.text.length).toBeLessThanOrEqual(2000);
    for (const { text: words, url } of elements) {
      expect(words.text.length).toBeLessThanOrEqual(75);
      expect(url.length).toBeLessThanOrEqual(3000);
    }
  }
  const last = blocks.at(-1)?.text?.text;
  if (count > 20) expect(last).toBe(`${count - 20} more are in Gatehouse.`);
});

test('details cannot mention, link or format in Slack', () => {
  const text = '<!channel> <@U1> *b* <https://evil.example|here>';
  const details = [
    { label: 'For', text },
    { label: 'Warning', text, isWarning: true },
  ];
  const [section] = slackMessage([message({ details })]).blocks;

  for (const shown of [section?.text?.text ?? '', section?.fields?.[0]?.text ?? '']) {
    expect(shown).toContain('&lt;!channel&gt; &lt;@U1&gt; \u200b*\u200bb\u200b*\u200b');
    expect(shown).not.toMatch(/<[!@]|<https:\/\/evil/);
  }
});

test('a card for Teams shows the same, reads no Markdown, and can only open the page', () => {
  const evil = { label: 'For', text: '[here](https://evil.example) **b**' };
  const card = teamsMessage([message({ details: [...(message().details ?? []), evil] })]);
  const parts = partsOf(card);

  expect(new Set(parts.map(({ type }) => type))).toEqual(
    new Set([
      'message',
      'AdaptiveCard',
      'Container',
      'RichTextBlock',
      'TextRun',
      'ActionSet',
      'Action.OpenUrl',
    ]),
  );
  const runs = parts.filter(({ type }) => type === 'TextRun').map(({ text }) => text);
  expect(runs).toEqual([
    'Decision needed: #1 access to Payroll',
    'Open the request to approve or deny it.',
    'Requested by: ',
    'Ada Lovelace (ada@example.com)',
    'Until: ',
    'No end date',
    'For: ',
    '[here](https://evil.example) **b**',
    '⚠ Escalated: its approvers have not decided in time.',
  ]);
  expect(parts.filter(({ type }) => type === 'Action.OpenUrl')).toEqual([
    {
      type: 'Action.OpenUrl',
      title: 'Open request',
      url: 'https://gatehouse.example/requests/1?a=1&b=2',
    },
  ]);
});

test.each([1, 20, 45])('%i of the longest messages keep the 28 KB of Teams', (count) => {
  const card = teamsMessage(Array.from({ length: count }, () => longest));

  expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThanOrEqual(28 * 1024);
  const listed = partsOf(card).filter(({ type }) => type === 'Container').length;
  expect(listed).toBeGreaterThan(0);
  if (listed < count) expect(JSON.stringify(card)).toContain(`${count - listed} more are in Gatehouse.`);
});
