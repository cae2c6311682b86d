#!/usr/bin/env node
/** Runs the compiled command line. */
import { main } from '../dist/cli/main.js';

await main(process.argv.slice(2));
