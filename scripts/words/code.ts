import { joined, type Text } from './text.ts';

const PLAIN = /[^'"`/{}]+/y;
const LINE_COMMENTS = /\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
/** The marks of a comment, at its beginning and end and at the beginning of its lines. */
const MARKS = /^[ \t]*(?:\/\*+|\/\/|\*(?!\/))|\*\/$/gm;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGULAR_EXPRESSION = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:[^\\`$]|\\[\s\S]|\$(?!\{))+/y;
const SQL_COMMENTS = /-- [^\n]*(?:\n\s*-- [^\n]*)*/g;
/** Text between elements. */
const JSX_TEXT = /[>}]([^<>{}=;()]*[a-z] [^<>{}=;()]*)[<{]/g;
/** The functions that make an error of a rule (packages/server/src/kit/errors.ts). */
const MAKES_ERROR = /\b(?:notFound|forbidden|invalid|conflict|taken|unprocessable)\(\s*$/;

interface Template {
  at: number;
  kind: Text['kind'];
  isSql: boolean;
  text: string;
  /** The braces that are open in its current expression. */
  braces: number;
}

/** Reads the comments, strings and templates of TypeScript, and the text between elements of JSX. */
export class Code {
  readonly #source: string;
  readonly #found: (Omit<Text, 'line'> & { at: number })[] = [];
  readonly #templates: Template[] = [];
  #at = 0;
  /** The source up to here, with blanks in place of texts. */
  #rest = '';

  constructor(source: string) {
    this.#source = source;
  }

  texts(isJsx: boolean): Text[] {
    while (this.#at < this.#source.length) this.#step();
    if (isJsx)
      for (const { index, 1: text = '' } of this.#rest.matchAll(JSX_TEXT))
        this.#add(index + 1, 'string', text);
    let [line, from] = [1, 0];
    return this.#found
      .sort((one, other) => one.at - other.at)
      .map(({ at, text, kind }) => {
        line += this.#source.slice(from, at).split('\n').length - 1;
        from = at;
        return { line, text, kind };
      });
  }

  #step() {
    const next = this.#source[this.#at];
    if (next === '/') this.#slash();
    else if (next === '`') this.#beginTemplate();
    else if (next === "'" || next === '"') this.#quote();
    else if (next === '}' && this.#templates.at(-1)?.braces === 0) this.#continueTemplate();
    else {
      const template = this.#templates.at(-1);
      if (template !== undefined) template.braces += next === '{' ? 1 : next === '}' ? -1 : 0;
      this.#keep(this.#take(PLAIN) ?? next ?? '');
    }
  }

  /** Reads a comment, a regular expression, or a single slash. */
  #slash() {
    const comment = this.#take(BLOCK_COMMENT) ?? this.#take(LINE_COMMENTS);
    const beginsValue = /(?:^|[(,=:[!&|?;{])\s*$/.test(this.#rest.slice(-100));
    if (comment !== undefined) {
      this.#add(this.#at, comment.startsWith('/**') ? 'doc' : 'comment', comment.replaceAll(MARKS, ''));
      this.#blank(comment.length);
    } else {
      const expression = beginsValue ? this.#take(REGULAR_EXPRESSION) : undefined;
      if (expression === undefined) this.#keep('/');
      else this.#blank(expression.length);
    }
  }

  /** Reads a string, or an apostrophe between elements. */
  #quote() {
    const isApostrophe = /\w/.test(this.#source[this.#at - 1] ?? '');
    const string = isApostrophe ? undefined : this.#take(STRING);
    if (string === undefined) this.#blank(1);
    else {
      this.#add(this.#at, this.#kindOfString(), string.slice(1, -1));
      this.#blank(string.length);
    }
  }

  #beginTemplate() {
    // Templates of kit/database/statements.ts are SQL as well, as in many<Row>(db)`select …`.
    const isSql = /\b(?:sql|(?:run|many|one|values?|exists))(?:<[^`]*>)?(?:\([\w.]*\))?$/.test(
      this.#rest.slice(-500),
    );
    this.#templates.push({ at: this.#at, kind: this.#kindOfString(), isSql, text: '', braces: 0 });
    this.#continueTemplate();
  }

  /** Reads the text of a template up to its end or its next expression. */
  #continueTemplate() {
    const template = this.#templates.at(-1) as Template;
    this.#blank(1);
    const text = this.#take(TEMPLATE_TEXT) ?? '';
    template.text += text;
    this.#blank(text.length);
    if (this.#source[this.#at] === '$') {
      template.text += '…';
      this.#blank(2);
    } else {
      this.#templates.pop();
      this.#endTemplate(template);
      this.#blank(1);
    }
  }

  #endTemplate({ at, kind, isSql, text }: Template) {
    if (!isSql) this.#add(at, kind, text);
    else
      for (const [comment] of text.matchAll(SQL_COMMENTS))
        this.#add(at, 'comment', comment.replaceAll('-- ', ''));
  }

  #kindOfString(): Text['kind'] {
    return MAKES_ERROR.test(this.#rest.slice(-100)) ? 'error' : 'string';
  }

  #add(at: number, kind: Text['kind'], text: string) {
    this.#found.push({ at, kind, text: joined(text) });
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0];
  }

  #keep(text: string) {
    this.#rest += text;
    this.#at += text.length;
  }

  #blank(length: number) {
    this.#keep(this.#source.slice(this.#at, this.#at + length).replaceAll(/[^\n]/g, ' '));
  }
}
