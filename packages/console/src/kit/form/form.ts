import { type GetInputPropsReturnType, type UseFormInput, useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { type ChangeOptions, queryClient, useChange } from '../../api/client.ts';
import { versionOf } from '../../api/version.ts';
import { type Edits, NotKept, sendEdit } from './edits.ts';
import { formErrors } from './form-errors.ts';
import { useUnsaved } from './unsaved.ts';

export interface ApiFormOptions<V, T>
  extends Pick<UseFormInput<V>, 'validate'>,
    Pick<ChangeOptions<V, T>, 'success' | 'after'> {
  initialValues: V;
  /** Sends the values to the server, for a form with `edits` as a change of this version, which was filled with `before`. */
  send: (values: V, version: string | undefined, before: V) => Promise<T>;
  /** For a form that changes what others may change at the same time. */
  edits?: Edits<V>;
  /** The form field for a path of the API, where their names differ. Paths have dots only: "effects.0.app". */
  fieldOf?: (path: string, values: V) => string;
}

/**
 * A form that is sent to the API. Errors in the reply appear at their fields, and the first of these gets the focus;
 * all other errors are in `failure`, for a `FormFailure`. Name the values like the fields of the request. Leaving the
 * page with unsaved input asks first.
 */
export function useApiForm<V extends object, T>(options: ApiFormOptions<V, T>) {
  const { initialValues, validate, send, edits, fieldOf, success, after } = options;
  const [failure, setFailure] = useState<string>();
  // Collected again on each render: a field that is not shown cannot show its error.
  const onScreen = new Set<string>();
  const latest = useRef(onScreen);
  latest.current = onScreen;
  const form = useForm<V>({
    initialValues,
    ...(validate === undefined ? {} : { validate }),
    enhanceGetInputProps: ({ field }) => void onScreen.add(field),
  });
  const saved = useUnsaved(form.isDirty());
  // Later reads change neither the fields nor the version from which they were filled.
  const filled = useRef({ values: initialValues, version: edits?.version });
  const fill = (values: V, version: string | undefined) => {
    filled.current = { values, version };
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
    void queryClient.invalidateQueries();
  };
  const sendVersion = async (values: V): Promise<T> => {
    const { values: before, version } = filled.current;
    if (edits === undefined) return send(values, undefined, before);
    const result = await sendEdit(edits, {
      values,
      before,
      version,
      send: (mine, current) => send(mine, current, before),
      fill,
    });
    filled.current = { values, version: versionOf(result as object) };
    return result;
  };
  const change = useChange(sendVersion, {
    showFailure: false,
    ...(success === undefined ? {} : { success }),
    after: (result) => {
      // Before `after`, which may leave the page.
      saved();
      form.resetDirty();
      return after?.(result);
    },
  });
  const submit = form.onSubmit((values) => {
    setFailure(undefined);
    change.mutate(values, {
      onError: (error) => {
        if (error instanceof NotKept) return;
        const { fields, general } = formErrors(error, latest.current, (path) =>
          fieldOf === undefined ? path : fieldOf(path, values),
        );
        form.setErrors(fields);
        setFailure(general);
        const [first] = Object.keys(fields);
        if (first !== undefined) form.getInputNode(first)?.focus();
      },
    });
  });
  return { form, submit, pending: change.isPending, changed: form.isDirty(), failure, result: change.data };
}

/** Props for our pickers, which take `set`: `<PersonPicker {...picker(form.getInputProps('owner'))} />`. */
export const picker = <P extends GetInputPropsReturnType>({ onChange, value, ...props }: P) => ({
  ...props,
  value,
  set: onChange,
});
