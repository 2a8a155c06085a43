/** A text that a person reads. */
export interface Text {
  /** The number of its first line. */
  line: number;
  /** The text as one line. In code, an expression of a template stands as `…`. */
  text: string;
  /** A documentation comment, another comment, the detail of an error, another text of a program, or a part of a document. */
  kind: 'doc' | 'comment' | 'error' | 'string' | 'prose';
}

/** Joins the lines of a text. */
export const joined = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
