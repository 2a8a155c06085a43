import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import type { components } from '../api/schema.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Day, Moment } from '../kit/controls/moment.tsx';
import { Name } from '../kit/text/name.tsx';
import { PersonName } from '../people/person.tsx';
import { endingWords, foundWords, type GrantReference, grantWords, type Reasons } from './grant-words.ts';
import classes from './why.module.css';

/** A grant with its details, as far as they are known. */
export interface ShownGrant extends Omit<GrantReference, 'via'> {
  starts_at?: string;
  /** The person. null: not known, or not for the caller. */
  decided_by?: string | null;
  /** The request, the policy or the task. */
  source?: string | null;
  /** For whom it was decided, if somebody else has the account now. */
  former?: string | null;
}

interface Props extends Reasons {
  grants: readonly ShownGrant[];
  /** Grants that were decided for another person than the one who has the account now. */
  others?: readonly ShownGrant[];
  /** When a sync first showed the access. */
  since?: string | undefined;
  /** The past has no sentence on how the access can end. */
  isPast?: boolean;
}

/** Each reason of an access, with who decided it and until when, and what would end the access. */
export function ReasonList({ others = [], since, isPast = false, ...reasons }: Props) {
  const { grants, found } = reasons;
  return (
    <>
      <ul className={classes.reasons} aria-label={t`Reasons`}>
        {grants.map((grant) => (
          <GrantLines key={grant.external_uuid} of={grant} />
        ))}
        {found && (
          <li>
            <strong>{foundWords}</strong>
            {since !== undefined && (
              <p className={classes.small}>
                <Trans>
                  First seen <Moment at={since} />
                </Trans>
              </p>
            )}
          </li>
        )}
        {others.map((grant) => (
          <GrantLines key={grant.external_uuid} of={grant} />
        ))}
      </ul>
      {!isPast && <p className={classes.ending}>{endingWords(reasons)}</p>}
    </>
  );
}

function GrantLines({ of: grant }: { of: ShownGrant }) {
  const { kind, ends_at, starts_at, decided_by, source, former } = grant;
  return (
    <li>
      <strong>
        <Decision kind={kind} id={source}>
          <Name of={grantWords(grant)} />
        </Decision>
      </strong>
      {starts_at !== undefined && (
        <p className={classes.small}>
          {decided_by == null ? (
            <Trans>
              Since <Moment at={starts_at} />
            </Trans>
          ) : (
            <Trans>
              Decided by <PersonName id={decided_by} />, since <Moment at={starts_at} />
            </Trans>
          )}
        </p>
      )}
      <p className={classes.small}>
        {ends_at === null ? (
          t`No planned end`
        ) : (
          <Trans>
            Ends on <Day at={ends_at} />
          </Trans>
        )}
      </p>
      {former !== undefined && (
        <p className={classes.small}>
          <Trans>
            Decided for <PersonName id={former} />, who does not have the account now
          </Trans>
        </p>
      )}
    </li>
  );
}

interface DecisionProps {
  kind: GrantReference['kind'] | components['schemas']['PeriodEnd']['kind'];
  /** Undefined or null if it is not known. */
  id: string | null | undefined;
  children: ReactNode;
}

/** A link to a decision, for roles that can read it. */
export function Decision({ kind, id, children }: DecisionProps) {
  const { readsAll } = useMe();
  if (id == null || !readsAll) return children;
  if (kind === 'request')
    return (
      <TextLink to="/requests/$ticketId" params={{ ticketId: id }} inherit>
        {children}
      </TextLink>
    );
  if (kind === 'policy')
    return (
      <TextLink to="/policies/$policyId" params={{ policyId: id }} inherit>
        {children}
      </TextLink>
    );
  if (kind !== 'manual') return children;
  return (
    <TextLink to="/tasks/$taskId" params={{ taskId: id }} inherit>
      {children}
    </TextLink>
  );
}
