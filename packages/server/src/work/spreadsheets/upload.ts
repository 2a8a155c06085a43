import type { Static } from 'typebox';
import type { ImportResult } from '#directory/people/schemas.ts';
import type { App } from '#inventory/apps/app.ts';
import type { RequestCause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { Column, IdChoice } from './guess.ts';
import type { Mapping } from './mapping.ts';
import type { Layout } from './read/sheet.ts';
import type { Remark } from './remarks.ts';

/** How a file was read, and the mapping that fits it. */
export interface Content extends Layout {
  columns: Column[];
  suggestion: Mapping;
  /** Null for people, and if the suggestion is the mapping of the last upload. */
  id_choice: IdChoice | null;
  /** How the columns differ from those of the last applied upload. Null if there is none. */
  since_last: { added: string[]; missing: string[] } | null;
}

/**
 * The states of an upload:
 *
 *   receiving ──> uploaded ──check──> checking ──> planned ──apply──> applied
 *                    ^                  │  │
 *                    └── read, check ───┘  └──> invalid, failed
 *
 * Each state before `applied` can be discarded. Uploads are deleted after a day.
 */
export interface Upload {
  id: string;
  /** Null for a file of people. */
  app_id: string | null;
  cause: RequestCause;
  file_name: string;
  bytes: number;
  sha256: string;
  status: 'receiving' | 'uploaded' | 'checking' | 'invalid' | 'planned' | 'applied' | 'discarded' | 'failed';
  content: Content;
  mapping: Mapping | null;
  rows: number | null;
  problems: number | null;
  sync_id: string | null;
  /** The changes of a file of people, and of a planned one the digest of them all. */
  result: (Static<typeof ImportResult> & { digest?: string }) | null;
  error: Sentence | null;
  /** The remarks that people should read before they apply a planned upload. */
  remarks: Remark[];
  created_at: Date;
  updated_at: Date;
}

/** The app whose accounts a file lists, or null for people. */
export type Target = App | null;
