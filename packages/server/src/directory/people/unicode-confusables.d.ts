declare module 'unicode-confusables' {
  /** Replaces each character by the one that it can be confused with (Unicode TS 39). */
  export function rectifyConfusion(text: string): string;
}
