import { asIs, type Field } from './field.ts';
import { NameTags } from './name-tags.tsx';

interface Props {
  label: string;
  description?: string;
  /** Corrects the names while somebody types. */
  change?: (names: string[]) => string[];
}

/** Several names that people type. */
export const tags = ({ change = (names) => names, ...props }: Props): Field<string[]> => ({
  ...asIs<string[]>(props.label, []),
  show: (value) => value.join(', '),
  control: ({ onChange, ...input }) => (
    <NameTags {...props} {...input} onChange={(names) => onChange(change(names))} />
  ),
});
