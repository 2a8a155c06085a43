import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run of Vitest that takes longer than `minutes`, and names the files that were running. */
export class Watchdog implements Reporter {
  readonly #running = new Set<string>();
  readonly #minutes: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(minutes: number) {
    this.#minutes = minutes;
  }

  onTestRunStart() {
    this.#timer = setTimeout(() => this.#end(), this.#minutes * 60_000);
  }

  onTestModuleStart({ project, relativeModuleId }: TestModule) {
    this.#running.add(`${relativeModuleId} (${project.name})`);
  }

  onTestModuleEnd({ project, relativeModuleId }: TestModule) {
    this.#running.delete(`${relativeModuleId} (${project.name})`);
  }

  onTestRunEnd() {
    clearTimeout(this.#timer);
  }

  #end() {
    const names = [...this.#running].map((name) => `  ${name}\n`).join('');
    process.stderr.write(
      `The tests took longer than ${this.#minutes} minutes. These files were running:\n${names}`,
    );
    // Workers and databases end with this process.
    process.exit(1);
  }
}
