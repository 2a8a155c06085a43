import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { readableLog } from './readable-log.ts';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const terminal = {
    write: (more: string) => {
      text += more;
    },
  };
  write(createLogger('info', readableLog(terminal)));
  return text;
}

test('writes a line with time, level, message and values', () => {
  const text = logged((logger) => logger.info({ method: 'GET', status: 200 }, 'request'));
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: request \{"method":"GET","status":200\}\n$/);
});

test('writes before it returns, so that nothing comes after the welcome text', () => {
  expect(logged((logger) => logger.info('Server listening'))).toContain('Server listening');
});

test('removes the same secrets as the JSON log', () => {
  const error = Object.assign(new Error('GET /x?code=swordfish failed'), {
    detail: 'Key (swordfish) exists.',
  });
  const text = logged((logger) => {
    logger.info({ url: '/org/acme/auth/callback?code=swordfish' }, 'request');
    logger.error({ err: error }, 'failed');
  });
  expect(text).toContain('/org/acme/auth/callback');
  expect(text).toContain('GET /x?code=[removed] failed');
  expect(text).not.toContain('swordfish');
});

test('replaces characters that control the terminal, and keeps all others', () => {
  const text = logged((logger) =>
    logger.info({ value: '\u001b[2J\u009b2J\rC:\\u001b\\new "é" 😀' }, 'a\u0007\u007fb\u001b]0;c'),
  );
  expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(text).toContain('a\ufffd\ufffdb\ufffd]0;c');
  expect(text).toContain('\ufffd[2J\ufffd2J\ufffdC:\\u001b\\new \\"é\\" 😀');
});
