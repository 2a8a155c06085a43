import { t } from '@lingui/core/macro';
import { Modal, Stack, Text } from '@mantine/core';
import { useMe } from '../../api/me.ts';
import { CodeBlock } from '../../kit/controls/code.tsx';
import { type Query, writeQuery } from './query.ts';

/** A text between single quotes, as a shell reads it. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the command that asks the API the same. */
const commandOf = (baseUrl: string, query: Query): string =>
  [
    // oxlint-disable-next-line lingui/no-unlocalized-strings
    `curl --get ${quoted(`${baseUrl}/api/queries/run/`)}`,
    // oxlint-disable-next-line lingui/no-unlocalized-strings
    `  --header "Authorization: Api-Key $GATEHOUSE_API_KEY"`,
    `  --data-urlencode ${quoted(`query=${writeQuery(query)}`)}`,
  ].join(' \\\n');

/** Shows a query as a call of the API. */
export function ApiCallDialog({ query, close }: { query: Query; close: () => void }) {
  const { me } = useMe();
  return (
    <Modal opened onClose={close} title={t`API call`} size="xl">
      <Stack gap="sm">
        <Text size="sm">
          {t`This command returns the first page as JSON. Put an API key with the scope read into GATEHOUSE_API_KEY; fields of people need a key with the scope govern, too. Add format=csv for all rows as CSV.`}
        </Text>
        <CodeBlock text={commandOf(me?.base_url ?? '', query)} what={t`command`} />
      </Stack>
    </Modal>
  );
}
