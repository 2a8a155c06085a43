import classes from './code.module.css';
import { Copy } from './copy.tsx';

interface Props {
  text: string;
  /** What it is, for its name and that of its button: "command". */
  what: string;
}

/** Text to be copied as it stands: a command, a key, an expression. */
export function CodeBlock({ text, what }: Props) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={classes.text} tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <Copy value={text} what={what} />
    </div>
  );
}

/** Any value of the API, as indented JSON. */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  return <CodeBlock text={JSON.stringify(value, null, 2)} what={what} />;
}
