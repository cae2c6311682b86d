/** A strict parser for the text format of Prometheus. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([a-z_:][a-z0-9_:]*)(?:\{([^{}]*)\})? (-?\d[\d.e+-]*|\+Inf|NaN)$/i;
const LABEL = /([a-z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/giy;
const HELP = /^# HELP (\S+) \S.*[.]$/;
const TYPE = /^# TYPE (\S+) (counter|gauge|histogram)$/;

/** @throws Error for an invalid line, a sample before its HELP and TYPE, or a duplicate sample */
export function readMetrics(text: string): Sample[] {
  const helped = new Set<string>();
  const typed = new Map<string, string>();
  const series = new Set<string>();
  const samples: Sample[] = [];
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  for (const line of text.split('\n').filter(Boolean)) {
    const [, helpedName] = HELP.exec(line) ?? [];
    const [, typedName, type] = TYPE.exec(line) ?? [];
    if (helpedName) helped.add(helpedName);
    else if (typedName && type && !typed.has(typedName)) typed.set(typedName, type);
    else {
      const sample = readSample(line);
      const { name } = sample;
      const family = typed.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
      if (!helped.has(family) || !typed.has(family)) throw new Error(`Not introduced: ${line}`);
      const id = `${name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (series.has(id)) throw new Error(`Twice: ${line}`);
      series.add(id);
      samples.push(sample);
    }
  }
  return samples;
}

function readSample(line: string): Sample {
  const [, name, labelText = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`Not a sample: ${line}`);
  const labels = [...labelText.matchAll(LABEL)];
  if (labels.map(([whole]) => whole).join('') !== labelText) throw new Error(`Labels that cannot be read: ${line}`);
  return {
    name,
    labels: Object.fromEntries(labels.map(([, label = '', text = '']) => [label, text])),
    value: Number(value?.replace('+Inf', 'Infinity')),
  };
}

/**
 * Returns the value of the sample with this name and these labels, or undefined if no sample has them.
 *
 * @throws Error if several samples have them
 */
export function sampleValue(samples: readonly Sample[], name: string, labels: Record<string, string> = {}) {
  const wanted = Object.entries(labels);
  const found = samples.filter(
    each => each.name === name && wanted.every(([key, value]) => each.labels[key] === value),
  );
  if (found.length > 1) throw new Error(`${name} ${JSON.stringify(labels)} stands ${found.length} times`);
  return found[0]?.value;
}
