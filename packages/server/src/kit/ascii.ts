/** Letters that have no decomposition in Unicode, and their usual spelling in ASCII. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  ŧ: 't',
  Ŧ: 'T',
};

/** Spellings that differ from the letter without its mark, by language. */
const BY_LANGUAGE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' },
  da: { å: 'aa', ø: 'oe', Å: 'Aa', Ø: 'Oe' },
  no: { å: 'aa', ø: 'oe', Å: 'Aa', Ø: 'Oe' },
};

export const ASCII_LANGUAGES: readonly string[] = Object.keys(BY_LANGUAGE);

/**
 * Returns a text in ASCII: letters lose their marks (ä becomes a, or ae in German, `de`), a few others have a spelling of their own
 * (ß becomes ss), and what remains, such as other scripts, is left out.
 */
export function toAscii(text: string, language?: string): string {
  const own = (language === undefined ? undefined : BY_LANGUAGE[language]) ?? {};
  const spelled = [...text.normalize('NFC')]
    .map((letter) => own[letter] ?? LETTERS[letter] ?? letter)
    .join('');
  return spelled.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
}
