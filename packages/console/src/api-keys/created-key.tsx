import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { api, ok } from '../api/client.ts';
import type { paths } from '../api/schema.ts';
import { CodeBlock } from '../kit/controls/code.tsx';

type Post = paths['/api/api-keys/']['post'];
export type NewKey = NonNullable<Post['requestBody']>['content']['application/json'];
/** A key as it is shown once. */
export type CreatedKey = Post['responses'][201]['content']['application/json'];

export const createKey = (body: NewKey): Promise<CreatedKey> => ok(api.POST('/api/api-keys/', { body }));

/** How long a key can live, in days. */
export const EXPIRIES = {
  7: { value: '7', label: t`In 7 days` },
  30: { value: '30', label: t`In 30 days` },
  90: { value: '90', label: t`In 90 days` },
  365: { value: '365', label: t`In one year` },
  never: { value: 'never', label: t`Never` },
};

/** Returns when a key expires that lives for a number of days from now, or never. */
export const expiryIn = (days: string): string | null =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();

/** The field of a form that an error about a key belongs to. */
export const keyField = (path: string) => (path === 'expires_at' ? 'expiry' : path);

/** Shows a key, which Gatehouse shows only once. */
export const SaveKey = ({ of: { key } }: { of: CreatedKey }) => (
  <>
    <Text size="sm" mb="xs">{t`Save this key now. You cannot see it again.`}</Text>
    <CodeBlock text={key} what={t`API key`} />
  </>
);
