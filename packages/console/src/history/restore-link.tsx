import { t } from '@lingui/core/macro';
import { useMe } from '../api/me.ts';
import { ButtonLink } from '../kit/controls/links.tsx';

interface Props {
  /** `possible` includes access that is only possible. */
  of: { user: string } | { account: string } | { app: string; sync: string; possible: true };
  /** The suggested time. */
  asOf?: string | undefined;
}

/** Leads to the page that restores access, for those who may. */
export function RestoreLink({ of, asOf }: Props) {
  const { manages } = useMe();
  if (!manages) return null;
  return (
    <ButtonLink variant="default" to="/restore" search={{ ...of, as_of: asOf }}>
      {t`Restore access…`}
    </ButtonLink>
  );
}
