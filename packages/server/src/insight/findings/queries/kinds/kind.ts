import type { Org, OrgDb } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { RawBuilder } from '#kit/sql.ts';
import type { EventType } from '#log/events/catalog.ts';
import type { LoggedEvent } from '#log/events/follow.ts';
import type { FindingSeverity, Subject } from '../../finding.ts';

/** The findings that a statement looks at: whether it includes the one about this subject, an SQL expression. */
export type Within = (subjectId: RawBuilder<unknown>) => RawBuilder<boolean>;

/** The subjects that events name, people with the accounts that they have or own, and accounts with the people who have or had them. */
export interface Touched {
  events: readonly LoggedEvent[];
  of: Record<Subject, readonly string[]>;
}

/** Something that can be wrong in an organization. It has one finding for each subject. */
export interface Kind {
  severity: FindingSeverity;
  subject: Subject;
  // biome-ignore lint/suspicious/noExplicitAny: the values come from `rows`, and tests look at the sentences
  say: (values: any) => Sentence;
  /** The page of the console that shows a subject. */
  href: (subjectId: string, appId: string | null) => string;
  /** The way to resolve it: words for a button, and the operation of the API. Null: it takes more than one. */
  action: { label: string; operation: string } | null;
  /**
   * The statement that finds it. Columns: subject_id, app_id (null: it concerns no app, or several), user_id (the person whom it is about, for
   * their manager), since, and the values of the sentence as JSON.
   */
  rows: (org: Org, within: Within) => RawBuilder<unknown>;
  /** The events after which it can begin or end. It is then looked for about the subjects that they name, and those that belong to these. */
  events: readonly EventType[];
  /** Returns the ids of other subjects that such events can concern. */
  also?: (db: OrgDb, touched: Touched) => Promise<readonly string[]>;
  /**
   * The change of time that no event tells: a statement for the ids of subjects that may have changed between two times, looked for every 10 minutes.
   * `always` and `nightly`: all of them may have, and the nightly check expects differences. They are looked for every 10 minutes or every night.
   */
  byClock?: ((org: Org, from: Date, to: Date) => RawBuilder<unknown>) | 'always' | 'nightly';
  /**
   * Syncs report no event of what changes it, such as the use of accounts and the risk of groups: a statement for the ids of subjects in these
   * apps that it may find now. After a sync, these are looked at, and those that it found before, which alone are `found`.
   */
  inApps?: ((org: Org, appIds: readonly string[]) => RawBuilder<unknown>) | 'found';
}

export const defineKind = (kind: Kind): Kind => kind;
