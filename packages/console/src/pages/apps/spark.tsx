import classes from './spark.module.css';

export interface Bar {
  id: string;
  /** Between 0 and 1. */
  height: number;
  look: 'good' | 'bad' | 'held' | 'busy' | 'idle';
  /** The bar in words, for the pointer. */
  words: string;
}

interface Props {
  /** Oldest first. */
  bars: readonly Bar[];
  /** All bars in words, for people who do not see them. Missing if a picture says it. */
  label?: string;
  width?: number;
  gap?: number;
  height?: number;
}

/** A row of bars. Color and shape show the outcome: failures are hollow, held ones are split, others are dots. */
export function Spark({ bars, label, width = 5, gap = 2, height = 24 }: Props) {
  const step = width + gap;
  return (
    <svg
      className={classes.spark}
      width={bars.length * step}
      height={height}
      viewBox={`0 0 ${bars.length * step} ${height}`}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined || undefined}
    >
      {bars.map((bar, at) => (
        <g key={bar.id} className={classes.bar} data-look={bar.look}>
          <title>{bar.words}</title>
          {/* The whole column takes the pointer. */}
          <rect className={classes.column} x={at * step} y={0} width={step} height={height} />
          <Mark bar={bar} x={at * step} width={width} height={height} />
        </g>
      ))}
    </svg>
  );
}

function Mark({
  bar: { look, height: share },
  x,
  width,
  height,
}: { bar: Bar } & Record<'x' | 'width' | 'height', number>) {
  if (look === 'busy' || look === 'idle')
    return <circle cx={x + width / 2} cy={height - width / 2} r={width / 2 - 0.5} />;
  const tall = Math.max(5, share * height);
  const top = height - tall;
  if (look === 'held') {
    const half = (tall - 2) / 2;
    return (
      <>
        <rect x={x} y={top} width={width} height={half} />
        <rect x={x} y={height - half} width={width} height={half} />
      </>
    );
  }
  if (look === 'bad') return <rect x={x + 0.75} y={top + 0.75} width={width - 1.5} height={tall - 1.5} />;
  return <rect x={x} y={top} width={width} height={tall} />;
}
