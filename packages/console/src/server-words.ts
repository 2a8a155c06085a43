import { statusWord } from './kit/controls/status.tsx';
import { fieldWord } from './kit/text/field-words.ts';
import { declareWords } from './language/server-text.ts';
import { roleWord } from './people/roles.ts';

declareWords({ status: statusWord, role: roleWord, roles: roleWord, fields: fieldWord });
