import qrcode from 'qrcode-generator';
import classes from './settings.module.css';

const QUIET = 4;

/** A QR code. Always dark on light, because cameras cannot read inverted ones. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const cells = Array.from({ length: size * size }, (_, at) => [at % size, Math.floor(at / size)] as const);
  const path = cells
    .filter(([x, y]) => code.isDark(y, x))
    .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
    .join('');
  const side = size + 2 * QUIET;
  return (
    <svg
      className={classes.qr}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
