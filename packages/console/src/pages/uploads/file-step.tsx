import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, FileButton, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { useChange } from '../../api/client.ts';
import { Section } from '../../kit/controls/section.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { IconUpload } from '../../kit/icons/icons.ts';
import { type Target, uploads } from './upload.ts';

/** Chooses a file and uploads it. */
export function FileStep({ target, open }: { target: Target; open: (id: string) => void }) {
  const chosen = useRef<() => void>(null);
  const { create, sampleAddress } = uploads(target);
  const upload = useChange(create, { showFailure: false, after: ({ upload_id }) => open(upload_id) });
  const choose = (file: File | null) => {
    // Choosing the same file again, once it is corrected, must count as a change.
    chosen.current?.();
    if (file !== null) upload.mutate(file);
  };
  return (
    <Section title={t`File`}>
      <Text size="sm" mb="sm">
        {t`Choose a CSV file or an Excel workbook (.xlsx) of at most 64 MB. Its first row names the columns.`}{' '}
        {target.kind === 'accounts'
          ? t`The file must list all accounts of the app: applying it removes every account that is not listed.`
          : t`People are found by their email. People who are not in the file stay as they are.`}
      </Text>
      <FormFailure of={upload.error} />
      <Group gap="sm" mt="md">
        <FileButton accept=".csv,.txt,.tsv,.xlsx" resetRef={chosen} onChange={choose}>
          {(button) => (
            <Button leftSection={<IconUpload size={15} aria-hidden />} loading={upload.isPending} {...button}>
              {t`Choose file`}
            </Button>
          )}
        </FileButton>
        <Text size="sm">
          <Trans>
            Sample:{' '}
            <Anchor size="sm" underline="always" href={sampleAddress('csv')} download>
              CSV
            </Anchor>
            ,{' '}
            <Anchor size="sm" underline="always" href={sampleAddress('xlsx')} download>
              Excel
            </Anchor>
          </Trans>
        </Text>
      </Group>
      <Text size="sm" mt="sm" role="status">
        {upload.isPending &&
          t`${{ file: upload.variables.name }} is being sent and read. Gatehouse reads one file of an organization after the other, so this may take a few minutes.`}
      </Text>
    </Section>
  );
}
