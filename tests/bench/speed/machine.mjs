/** Describes the machine of a run, and how busy it was. */
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';

/** Facts about the machine that the figures depend on. */
export function describeMachine() {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() || 'unknown processor',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 1_073_741_824),
    node: process.version,
    system: `${platform()} ${arch()}`,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** Load averages of the last minute, 5 minutes and 15 minutes. They are always 0 on Windows. */
export function loadAverage() {
  return loadavg().map(value => value.toFixed(2));
}

/** Duration of a loop of plain arithmetic in milliseconds: shows how fast the machine is at the moment. */
export function arithmeticMs() {
  const startedMs = performance.now();
  let sum = 0;
  for (let index = 0; index < 2e8; index++) sum = (sum + index * 7) | 0;
  // The sum is used, because the loop would otherwise be optimised away.
  return performance.now() - startedMs + (sum & 0);
}

/** The facts as one sentence. */
export function machineSentence({ processor, cores, memoryGiB, node, system, date }) {
  return `${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node.replace(/^v/, '')}, ${system}, ${date}`;
}
