import oracledb from 'oracledb';
import type { Target } from '../../dsn.ts';
import { batched, type Driver, type Row } from '../driver.ts';

export const oracle = ({ host, port, user, password, database }: Target): Driver => ({
  placeholder: (position) => `:${position}`,
  async connect() {
    const db = await oracledb.getConnection({
      user,
      password,
      connectString: `${host}:${port ?? 1521}/${database}`,
    });
    const options = { outFormat: oracledb.OUT_FORMAT_OBJECT };
    let isOpen = false;
    const end = async (how: 'commit' | 'rollback') => {
      isOpen = false;
      await db[how]();
    };
    return {
      read: (text, values) => batched(db.queryStream(text, values as never, options) as AsyncIterable<Row>),
      async run(text, values) {
        const { rowsAffected } = await db.execute(text, values as never, { autoCommit: !isOpen });
        return rowsAffected ?? 0;
      },
      async begin() {
        isOpen = true;
      },
      async beginSnapshot() {
        isOpen = true;
        await db.execute('set transaction read only');
      },
      commit: () => end('commit'),
      rollback: () => end('rollback'),
      close: () => db.close(),
    };
  },
});
