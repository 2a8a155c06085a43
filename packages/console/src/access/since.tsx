import { Trans } from '@lingui/react/macro';
import { Moment } from '../kit/controls/moment.tsx';

/** Since when an account has something. A sync that found it did not see it being granted: it may be much older. */
export const Since = ({ of: { granted_at, found } }: { of: { granted_at: string; found: boolean } }) =>
  found ? (
    <Trans>
      First seen <Moment at={granted_at} />
    </Trans>
  ) : (
    <Moment at={granted_at} />
  );
