import { Alert, Anchor, Text } from '@mantine/core';
import { counted, grouped } from '../../parts/words.ts';
import { type Target, type Upload, uploads } from './upload.ts';
import classes from './uploads.module.css';

/** The problems of the rows, with the reason of each. */
export function Problems({ target, upload }: { target: Target; upload: Upload }) {
  const { problems, problem_count: count, upload_id, rows } = upload;
  return (
    <>
      <Alert
        color="red"
        role="alert"
        mb="sm"
        title={`${counted(count ?? 0, 'problem')} in ${counted(rows ?? 0, 'row')}`}
      >
        Nothing was changed. Correct the file and upload it again, or choose other columns below.
        {target.kind === 'accounts' &&
          ' Do not delete these rows: applying a file without them would remove their accounts.'}
      </Alert>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <section className={classes.rows} tabIndex={0} aria-label="Problems">
        <table>
          <thead>
            <tr>
              <th>Row</th>
              <th>Column</th>
              <th>Value</th>
              <th>Problem</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, column, value, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and a row can have two problems.
              <tr key={index}>
                <td>{grouped(row)}</td>
                <td>{column}</td>
                <td>{value}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Text size="sm" mt="xs" mb="lg">
        <Anchor size="sm" href={uploads(target).problemsAddress(upload_id)} download>
          Download all problems
        </Anchor>
      </Text>
    </>
  );
}
