import { t } from '@lingui/core/macro';
import type { components } from '../api/schema.ts';

type Kind = components['schemas']['PeriodEnd']['kind'] | components['schemas']['LostBy']['kind'];

/** Returns a decision that ends access in words: "Access review Quarterly". Members do not see its name. */
export function decisionWords({ kind, label }: { kind: Kind; label: string | null }): string {
  const name = label ?? '';
  switch (kind) {
    case 'review':
      return name === '' ? t`Access review` : t`Access review ${name}`;
    case 'policy':
      return name === '' ? t`Policy` : t`Policy ${name}`;
    case 'request':
      return name === '' ? t`Request` : t`Request ${name}`;
    case 'end':
      return name === '' ? t`Its time was over` : t`End of ${name}`;
    default:
      return name === '' ? t`Administrator` : name;
  }
}
