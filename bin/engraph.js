#!/usr/bin/env node
/** Runs the compiled command line. */
const [command, ...rest] = process.argv.slice(2);

// Hosts run `engraph hook EVENT` at each prompt, so it loads nothing else. `engraph hook --try` is for people.
if (command === 'hook' && rest[0]?.startsWith('-') === false) {
  const { runHook } = await import('../dist/cli/hook/main.js');
  await runHook(rest);
} else {
  const { main } = await import('../dist/cli/main.js');
  await main(process.argv.slice(2));
}
