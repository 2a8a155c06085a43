export { type Fixture, type Stage, type SwitchOrReason, switchOf, type Witness } from './fixture.ts';
export { freePort } from './port.ts';
export { listAll } from './read.ts';
export { asJUnit, asTable, tally } from './report.ts';
export { allChecks, type ConformanceOptions, type Finding, runConformance } from './run.ts';
export { type Answer, type Reply, startScriptedServer } from './scripted-server.ts';
export type { Fault } from './service/fault.ts';
export { type ScriptedService, startScriptedService } from './service/scripted.ts';
