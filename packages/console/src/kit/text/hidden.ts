import { t } from '@lingui/core/macro';
import { createElement, Fragment, type ReactNode } from 'react';
import { hasRightToLeft, type Part, partsOf, withCodes } from '../../../../protocol/src/hidden-characters.ts';
import classes from './name.module.css';

/** A text that a sentence isolates, because its letters are written from right to left (language.ts). */
const ISOLATED = /(\u2068[^\u2068\u2069]*\u2069)/;
const isIsolated = (piece: string) => piece.startsWith('\u2068') && hasRightToLeft(piece);

const partsOfText = (text: string): Part[] =>
  text
    .split(ISOLATED)
    .flatMap((piece) =>
      isIsolated(piece)
        ? [{ text: '\u2068' }, ...partsOf(piece.slice(1, -1), { lines: true }), { text: '\u2069' }]
        : partsOf(piece, { lines: true }),
    );

const isPlain = (parts: readonly Part[]) => parts.every((part) => 'text' in part);

/** Returns a text with its hidden characters shown as marks. A text without any is returned as it is. */
export function shownText(text: string): ReactNode {
  if (!mayHide(text)) return text;
  const parts = partsOfText(text);
  return isPlain(parts) ? text : drawn(parts);
}

/** Returns a text with the codes of its hidden characters, for attributes. */
export function withCodesInText(text: string): string {
  if (!mayHide(text)) return text;
  return partsOfText(text)
    .map((part) => ('code' in part ? `[${part.code}]` : part.text))
    .join('');
}

/** Almost all texts of a page are found here to have nothing to look for. */
const mayHide = (text: string) => text !== withCodes(text, { lines: true });

/** Returns the parts of a text, with a mark for each hidden character. */
export const drawn = (parts: readonly Part[]): ReactNode =>
  createElement(
    Fragment,
    null,
    ...parts.map((part) => ('code' in part ? markOf(part.code, hiddenWords(part.code)) : part.text)),
  );

/** A mark within a text, with its explanation for the mouse and for screen readers. */
export const markOf = (word: string, explanation: string): ReactNode =>
  createElement(
    'span',
    { className: classes.mark, role: 'img', 'aria-label': explanation, title: explanation },
    word,
  );

const REORDERING = /^U\+(?:202[A-E]|206[6-9]|200[EF]|061C)$/;

const hiddenWords = (code: string) =>
  REORDERING.test(code)
    ? t`Hidden character ${code}, which changes the order of the text`
    : t`Hidden character ${code}`;
