/** A setting of a session, and where its value comes from: the column `source` of pg_settings. */
export interface Setting {
  name: string;
  value: string;
  source: string;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Returns a sentence with the command that undoes a setting. */
export function undoing({ name, source }: Setting, role: string, database: string): string {
  const reset = `reset ${name};`;
  switch (source) {
    case 'user':
      return `Undo it with: alter role ${quoted(role)} ${reset}`;
    case 'database':
      return `Undo it with: alter database ${quoted(database)} ${reset}`;
    case 'database user':
      return `Undo it with: alter role ${quoted(role)} in database ${quoted(database)} ${reset}`;
    case 'global':
      return `Undo it with: alter role all ${reset}`;
    case 'client':
    case 'session':
      return `Remove ${name} from the address of the database or from the settings of the pooler.`;
    default:
      return `Remove ${name} from the settings of the server, or run: alter system ${reset} Then reload them with: select pg_reload_conf();`;
  }
}
