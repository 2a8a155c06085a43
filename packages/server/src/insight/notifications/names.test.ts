import { expect, test } from 'vitest';
import { slackMessage } from './chat/slack.ts';
import { teamsMessage } from './chat/teams.ts';
import { letterOf } from './email/layout.ts';
import type { Message } from './message.ts';

const message: Message = {
  title: 'Decision needed: Read\u202eetirw\r\nBcc: eve@evil.example',
  body: '"Pay\u200broll"\nשלום 1',
  link: 'https://gatehouse.example/requests/1',
};
const options = { organization: 'Ac\u202eme', isDigest: false, preferences: null };
/** Characters that a text must not contain. */
const HIDDEN = /[\u202a-\u202e\u2066\u2067\u200e\u200f\ufeff]/;

test('an email shows hidden characters of names by their codes, and its subject is one line', () => {
  const { subject, text, html } = letterOf([message], options);

  expect(subject).toBe('Decision needed: Read[U+202E]etirw Bcc: eve@evil.example');
  for (const part of [text, html]) {
    expect(part).not.toMatch(HIDDEN);
    expect(part).toContain('Read[U+202E]etirw Bcc');
    expect(part).toContain('Pay[U+200B]roll');
    expect(part).toContain('\u2068שלום\u2069 1');
    expect(part).toContain('Gatehouse of Ac[U+202E]me.');
  }
});

test('posts to Teams show them, too', () => {
  const text = JSON.stringify(teamsMessage([message]));

  expect(text).not.toMatch(HIDDEN);
  expect(text).toContain('Read[U+202E]etirw');
  expect(text).toContain('Pay[U+200B]roll');
});

test('posts to Slack show them, and leave no markup of names in effect', () => {
  const title = 'R\u202e <!channel> <@U1> *b* _i_ ~s~ `c` svc_backup @everyone https://evil.example';
  const { text, blocks } = slackMessage([{ ...message, title }]);

  for (const shown of [text, blocks[0]?.text?.text ?? '']) {
    expect(shown).not.toMatch(HIDDEN);
    expect(shown).toContain('R[U+202E] &lt;!channel&gt; &lt;@U1&gt;');
    expect(shown).toContain('\u200b*\u200bb\u200b*\u200b \u200b_\u200bi\u200b_\u200b');
    expect(shown).toContain('\u200b~\u200bs\u200b~\u200b \u200b`\u200bc\u200b`\u200b svc_backup @everyone');
  }
  expect(blocks[0]?.text?.verbatim).toBe(true);
});

test('emails, Slack and Teams say that a word mixes alphabets', () => {
  const mixed: Message = { title: 'Ada requests P\u0430yroll', body: 'Group: \u0391dmins', link: null };
  const { subject, text, html } = letterOf([mixed], options);
  const slack = slackMessage([mixed]);
  const teams = JSON.stringify(teamsMessage([mixed]));

  expect(subject).toBe('Ada requests P\u0430yroll [mixed alphabets: Latin, Cyrillic]');
  for (const shown of [text, html, slack.blocks[0]?.text?.text, teams]) {
    expect(shown).toContain('P\u0430yroll [mixed alphabets: Latin, Cyrillic]');
    expect(shown).toContain('\u0391dmins [mixed alphabets: Latin, Greek]');
  }
  expect(letterOf([message], options).text).not.toContain('mixed alphabets');
});
