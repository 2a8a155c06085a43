import { ownershipOf } from '#inventory/records/accounts/ownership-facts.ts';
import { sessionOf } from '#inventory/records/sessions/find.ts';
import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { isUuid } from '#kit/ids.ts';
import type { Problem } from './problem.ts';
import { findUpload, listProblems } from './queries/uploads.ts';
import type { Target, Upload } from './upload.ts';

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
  const ownership = await ownershipAfter(db, upload);
  return {
    upload_id: id,
    ...fields,
    created_by: cause.actor.uuid,
    ...content,
    problem_count: upload.problems,
    problems,
    ownership,
    ...(error === null ? {} : { error: error.text, error_code: error.code, error_values: error.values }),
  };
}

/** Returns to whom the accounts of an app belong after an upload. Null until its session is published. */
async function ownershipAfter(db: OrgDb, { status, app_id: appId, sync_id: syncId }: Upload) {
  if (status !== 'applied' || appId === null || syncId === null) return null;
  const session = await sessionOf(db, appId, syncId);
  return session.published_at === null ? null : ownershipOf(db, appId);
}
