import { everything, type Item, type List } from '../../api/client.ts';
import { ExportButton } from '../../kit/controls/export-button.tsx';
import { saveCsv } from '../../kit/text/csv.ts';
import { attributeText } from './person.ts';

type Person = Item<'/api/users/'>;

const FIELDS = [
  'email',
  'username',
  'first_name',
  'last_name',
  'identity_type',
  'domain_type',
  'manager',
  'status',
  'role',
  'start_date',
  'end_date',
] as const;

const column = (id: string, csv: (person: Person) => string | null) => ({ id, header: id, cell: csv, csv });

/** Exports all matching people with their attributes. The column names are those that an import accepts. */
export function ExportPeople({ list }: { list: List<Person> }) {
  const save = async () => {
    const people = await Array.fromAsync(everything(list));
    const attributes = new Set(people.flatMap((person) => Object.keys(person.attributes)));
    const columns = [
      ...FIELDS.map((name) => column(name, (person) => person[name])),
      ...[...attributes]
        .sort()
        .map((name) =>
          column(name, ({ attributes: { [name]: value } }) =>
            value === undefined ? '' : attributeText(value),
          ),
        ),
    ];
    await saveCsv('people', columns, each(people));
  };
  return <ExportButton save={save} />;
}

async function* each<T>(rows: readonly T[]) {
  yield* rows;
}
