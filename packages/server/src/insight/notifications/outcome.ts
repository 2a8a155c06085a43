import { shortened } from '#log/notices/shortened.ts';

/** The result of an attempt to send. */
export type Outcome =
  | { ok: true }
  | {
      ok: false;
      /** A sentence for administrators, without secrets. */
      reason: string;
      /** Whether further attempts are pointless. */
      final: boolean;
      /** The pause that the receiver asked for. */
      pauseSeconds?: number;
      /** The whole medium is unavailable, and not only this recipient. */
      isOutage?: true;
    };

const LONGEST = 500;

/** Returns text from another system as one line of limited length. */
export const sentence = (text: string): string =>
  shortened(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), LONGEST);
