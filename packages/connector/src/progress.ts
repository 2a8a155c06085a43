import cliProgress from 'cli-progress';
import type { Redactor } from '../../protocol/src/redact.ts';

/** Writes lines for people to standard error, without secrets. */
export type Log = { info(line: string): void; warn(line: string): void };

/** Shows the progress of a run: bars on a terminal, otherwise one plain line every 10 s. */
export type Progress = Log & {
  start(name: string, total?: number): void;
  advance(count: number): void;
  finish(): void;
  close(): void;
};

type Sink = { write(text: string): unknown; isTTY?: boolean };

export function createProgress(redactor: Redactor, sink: Sink = process.stderr): Progress {
  const line = (text: string) => `${redactor.text(text)}\n`;
  return sink.isTTY ? bars(sink, line) : lines(sink, line);
}

/** Shows nothing. */
export const silent: Progress = {
  info() {},
  warn() {},
  start() {},
  advance() {},
  finish() {},
  close() {},
};

function lines(sink: Sink, line: (text: string) => string): Progress {
  let now: { name: string; done: number; total: number | undefined } | undefined;
  const show = () => {
    if (now) sink.write(line(`${now.name}: ${now.done}${now.total === undefined ? '' : ` of ${now.total}`}`));
  };
  const timer = setInterval(show, 10_000);
  timer.unref();
  return {
    info: (text) => sink.write(line(text)),
    warn: (text) => sink.write(line(`warning: ${text}`)),
    start(name, total) {
      now = { name, done: 0, total };
    },
    advance(count) {
      if (now) now.done += count;
    },
    finish() {
      show();
      now = undefined;
    },
    close: () => clearInterval(timer),
  };
}

function bars(sink: Sink, line: (text: string) => string): Progress {
  const format = (
    _options: unknown,
    params: { value: number; total: number },
    payload: { name: string; known: boolean },
  ) => {
    const name = payload.name.padEnd(24).slice(0, 24);
    if (!payload.known) return `  ${name} ${params.value}`;
    const share = params.total === 0 ? 1 : Math.min(1, params.value / params.total);
    const filled = Math.round(share * 30);
    return `  ${name} ${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${params.value} of ${params.total}`;
  };
  let all: cliProgress.MultiBar | undefined;
  let bar: cliProgress.SingleBar | undefined;
  let done = 0;
  const say = (text: string) => (all ? all.log(line(text)) : sink.write(line(text)));
  return {
    info: (text) => void say(text),
    warn: (text) => void say(`warning: ${text}`),
    start(name, total) {
      all ??= new cliProgress.MultiBar({
        stream: sink as NodeJS.WritableStream,
        clearOnComplete: false,
        hideCursor: true,
        format: format as unknown as string,
      });
      done = 0;
      bar = all.create(total ?? 0, 0, { name, known: total !== undefined });
    },
    advance(count) {
      done += count;
      bar?.update(done);
    },
    finish() {
      bar?.setTotal(done);
      bar?.update(done, { known: true });
      bar?.stop();
      bar = undefined;
    },
    close() {
      all?.stop();
      all = undefined;
    },
  };
}
