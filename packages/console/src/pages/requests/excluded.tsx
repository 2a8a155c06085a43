import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { personName } from '../../kit/text/words.ts';
import classes from './request.module.css';

export type PreviewedStep = Answer<'/api/apps/{app_id}/approval/'>['steps'][number];

/** Returns who would decide a request for an app, step by step. Not known to members who request for somebody else. */
export function useApproval(appId: string, user: string, requester: string | null, enabled = true) {
  return useQuery({
    ...get('/api/apps/{app_id}/approval/', {
      path: { app_id: appId },
      query: requester === null ? { user } : { user, requester },
    }),
    staleTime: 60_000,
    enabled,
  }).data?.steps;
}

/** The people who do not decide a step that would be theirs, each with the reason. */
export const ExcludedApprovers = ({ of }: { of: PreviewedStep['excluded'] }) =>
  of.map(({ user, because }) => (
    <div key={user.external_uuid} className={classes.small}>
      {reasonWords(personName(user), because)}
    </div>
  ));

/** The people whom a step excludes, and who decides it instead. */
export function InsteadOfExcluded({ of: step }: { of: PreviewedStep | undefined }) {
  if (step === undefined || step.excluded.length === 0) return null;
  const names = step.people.map(personName);
  const people = listed(
    step.administrators || names.length === 0 ? [...names, t`an administrator`] : names,
    'disjunction',
  );
  return (
    <>
      <ExcludedApprovers of={step.excluded} />
      <div className={classes.small}>{t`Decided by ${people} instead.`}</div>
    </>
  );
}

/** Why somebody does not decide a step that would be theirs. */
function reasonWords(name: string, because: PreviewedStep['excluded'][number]['because']): string {
  switch (because) {
    case 'counts_already':
      return t`${name} decides an earlier step. Another person has to decide this one.`;
    case 'has_another_seat':
      return t`${name} can decide only once in this step. Another person decides on behalf of the absent approver.`;
    default:
      return t`${name} cannot decide this request, because it is by or for them.`;
  }
}
