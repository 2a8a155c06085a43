import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useUndoable } from '../../kit/controls/undoable.ts';
import type { Finding } from './finding.ts';

const paramsOf = ({ external_uuid }: Finding) => ({ params: { path: { finding_id: external_uuid } } });

export const accept = (finding: Finding, until: string, reason: string) =>
  ok(api.POST('/api/findings/{finding_id}/accept/', { ...paramsOf(finding), body: { until, reason } }));

export const reopen = (finding: Finding) =>
  ok(api.POST('/api/findings/{finding_id}/reopen/', paramsOf(finding)));

export const assign = (finding: Finding, user: string | null) =>
  ok(api.POST('/api/findings/{finding_id}/assign/', { ...paramsOf(finding), body: { user } }));

export const assigneeOf = ({ assignee }: Finding) => assignee?.external_uuid ?? null;

/** The changes that are made without asking, because each can be undone. */
export function useChanges() {
  const { me } = useMe();
  const reopened = useUndoable(reopen, {
    done: () => t`Finding reopened`,
    undo: (finding) => accept(finding, finding.accepted_until ?? '', finding.reason ?? ''),
  });
  const taken = useUndoable((finding: Finding) => assign(finding, me?.external_uuid ?? null), {
    done: () => t`Assigned to you`,
    undo: (finding) => assign(finding, assigneeOf(finding)),
  });
  return { reopen: reopened.mutate, take: taken.mutate };
}
