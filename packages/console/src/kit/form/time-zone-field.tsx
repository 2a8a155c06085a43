import { select } from './choice-fields.tsx';
import type { Field } from './field.ts';
import { timeZones } from './time-zones.ts';

interface Props {
  label: string;
  description?: string;
  required?: boolean;
}

/** A time zone. The choices include the current one, even if the browser does not know it. */
export const timeZone = (props: Props): Field<string> => {
  const field = select({ ...props, initial: '', searchable: true });
  return { ...field, control: (input) => field.control?.({ ...input, data: timeZones(input.value) }) };
};
