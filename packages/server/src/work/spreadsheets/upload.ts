import type { Static } from 'typebox';
import type { ImportResult } from '../../directory/people/routes/schemas.ts';
import type { App } from '../../inventory/apps/apps.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { notFound } from '../../kit/errors.ts';
import type { RequestCause } from '../../kit/identity/cause.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Column } from './guess.ts';
import type { Mapping } from './mapping.ts';
import type { Problem } from './problem.ts';
import { findUpload, listProblems } from './queries.ts';
import type { Layout } from './read/sheet.ts';

export { findUploadedApps } from './queries.ts';

/** How a file was read, and the mapping that fits it. */
export interface Content extends Layout {
  columns: Column[];
  suggestion: Mapping;
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
  error: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The app whose accounts a file lists, or null for people. */
export type Target = App | null;

/** Throws 404 for an upload to another app. */
export async function uploadOf(db: OrgDb, target: Target, id: string): Promise<Upload> {
  const upload = isUuid(id) ? await findUpload(db, target?.id ?? null, id) : undefined;
  if (upload === undefined) throw notFound('Upload');
  return upload;
}

const PROBLEMS_SHOWN = 100;
const SLICE = 1000;

/** Reads the problems of an upload in slices, in the order of its rows. */
export async function* problemsOf(db: OrgDb, id: string): AsyncGenerator<Problem[]> {
  for (let first = 0; ; first += SLICE) {
    const problems = await listProblems(db, id, first, SLICE);
    if (problems.length === 0) return;
    yield problems;
  }
}

/** Returns an upload as callers see it. */
export async function uploadView(db: OrgDb, upload: Upload) {
  const { id, cause, content, error, ...fields } = upload;
  const problems = upload.status === 'invalid' ? await listProblems(db, id, 0, PROBLEMS_SHOWN) : [];
  return {
    upload_id: id,
    ...fields,
    created_by: cause.actor.uuid,
    ...content,
    problem_count: upload.problems,
    problems,
    ...(error === null ? {} : { error }),
  };
}
