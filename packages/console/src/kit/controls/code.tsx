import classes from './code.module.css';
import { Copy } from './copy.tsx';

interface Props {
  text: string;
  /** The accessible name, also used by the copy button: "command". */
  what: string;
}

/** Text to copy: a command, a key, an expression. */
export function CodeBlock({ text, what }: Props) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section className={classes.text} tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <Copy value={text} what={what} />
    </div>
  );
}

/** A value as indented JSON. */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  return <CodeBlock text={JSON.stringify(value, null, 2)} what={what} />;
}
