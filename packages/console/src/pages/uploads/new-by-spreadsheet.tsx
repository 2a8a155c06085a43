import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok, useChange } from '../../api/client.ts';
import { appNameOf } from './app-name.ts';
import { SpreadsheetDrop } from './file-step.tsx';
import { uploads, uploadsOf } from './upload.ts';

/** Creates an app from a file of its accounts, and continues with the columns. `name` is that of the app; by default, the file has it. */
export function NewBySpreadsheet({ name }: { name?: string | undefined }) {
  const navigate = useNavigate();
  const start = useChange(
    async (file: File) => {
      const body = { name: name ?? appNameOf(file.name) };
      const { id: appId } = await ok(api.POST('/api/v1/bridge/apps/', { body }));
      try {
        const { upload_id } = await uploads(uploadsOf(appId)).create(file);
        return { appId, upload: upload_id };
      } catch (error) {
        // A file that cannot be read leaves no app behind.
        await api
          .DELETE('/api/apps/{app_id}/', { params: { path: { app_id: appId } } })
          .catch(() => undefined);
        throw error;
      }
    },
    {
      showFailure: false,
      after: ({ appId, upload }) =>
        void navigate({ to: '/apps/$appId/upload', params: { appId }, search: { upload } }),
    },
  );
  return (
    <>
      <Text size="sm" mb="sm">
        {t`Choose a CSV file or an Excel workbook (.xlsx) with the accounts of one app, one in each row. Its first row names the columns.`}{' '}
        {name === undefined && t`The app gets the name of the file.`}
      </Text>
      <SpreadsheetDrop of={start} />
    </>
  );
}
