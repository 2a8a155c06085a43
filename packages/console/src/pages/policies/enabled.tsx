import { t } from '@lingui/core/macro';
import { Status } from '../../kit/controls/status.tsx';

export const Enabled = ({ enabled }: { enabled: boolean }) => (
  <Status
    of={enabled ? 'enabled' : 'disabled'}
    look={enabled ? 'good' : 'idle'}
    word={enabled ? t`Enabled` : t`Disabled`}
  />
);
