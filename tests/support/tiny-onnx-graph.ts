/**
 * Writes the ONNX file of a very small sentence encoder. The vector of a token is a row of a table, so the expected
 * vectors can be calculated by hand. The file is written field by field, with the field numbers of onnx.proto3.
 */
import { bytesField, intField, message } from './protobuf.js';

export interface GraphOptions {
  vocabularySize: number;
  width: number;
  /** Returns one number of the table of token vectors. `tableValue` by default. */
  entry?: (id: number, column: number) => number;
  /** Adds a vector for the token type to the row of each token, as BERT does. */
  hasTokenTypes?: boolean;
  /** Name of the output with one row per token. */
  output?: string;
  /** An additional output `sentence_embedding`: the largest value of each column. */
  hasPooledOutput?: boolean;
  /** Name of an additional input that the graph does not use. */
  extraInput?: string;
}

const FLOAT = 1;
const INT64 = 7;
const IR_VERSION = 8;
const OPSET = 13;

/** A value in the row of a token, from -1 to 1. All rows are different. */
export function tableValue(id: number, column: number): number {
  return Math.fround(Math.sin(id * 7.3 + column * 1.7 + 0.5));
}

/** A value in the row of the first token type. Every token has this type. */
export function typeValue(column: number): number {
  return Math.fround(Math.cos(column * 2.1));
}

export function onnxGraph(options: GraphOptions): Uint8Array {
  const { vocabularySize, width, entry = tableValue, hasTokenTypes = false, output = 'last_hidden_state' } = options;
  const inputs = ['input_ids', 'attention_mask'];
  const nodes = [
    node('Gather', ['table', 'input_ids'], 'rows'),
    // A token without attention does not count.
    node('Cast', ['attention_mask'], 'attention', intAttribute('to', FLOAT)),
    node('Unsqueeze', ['attention', 'last_axis'], 'attention_column'),
    node('Mul', ['rows', 'attention_column'], 'seen_rows'),
  ];
  const constants = [
    floats('table', [vocabularySize, width], table(vocabularySize, width, entry)),
    integers('last_axis', [2]),
  ];
  if (hasTokenTypes) {
    inputs.push('token_type_ids');
    constants.push(
      floats(
        'types',
        [2, width],
        table(2, width, (id, column) => (id === 0 ? typeValue(column) : 9)),
      ),
    );
    nodes.push(node('Gather', ['types', 'token_type_ids'], 'type_rows'));
    nodes.push(node('Add', ['seen_rows', 'type_rows'], output));
  } else nodes.push(node('Identity', ['seen_rows'], output));
  const outputs = [tensorInfo(output, FLOAT, ['batch', 'length', width])];
  if (options.hasPooledOutput) {
    nodes.push(
      node('ReduceMax', [output], 'sentence_embedding', intsAttribute('axes', [1]), intAttribute('keepdims', 0)),
    );
    outputs.push(tensorInfo('sentence_embedding', FLOAT, ['batch', width]));
  }
  if (options.extraInput !== undefined) inputs.push(options.extraInput);
  const graph = message(
    ...nodes.map(each => bytesField(1, each)),
    bytesField(2, 'tiny'),
    ...constants.map(each => bytesField(5, each)),
    ...inputs.map(name => bytesField(11, tensorInfo(name, INT64, ['batch', 'length']))),
    ...outputs.map(each => bytesField(12, each)),
  );
  return message(intField(1, IR_VERSION), bytesField(7, graph), bytesField(8, message(intField(2, OPSET))));
}

function table(rows: number, width: number, entry: (id: number, column: number) => number): number[] {
  return Array.from({ length: rows * width }, (_, index) => entry(Math.floor(index / width), index % width));
}

function node(kind: string, inputs: readonly string[], output: string, ...attributes: Uint8Array[]): Uint8Array {
  return message(
    ...inputs.map(input => bytesField(1, input)),
    bytesField(2, output),
    bytesField(4, kind),
    ...attributes.map(attribute => bytesField(5, attribute)),
  );
}

function intAttribute(name: string, value: number): Uint8Array {
  return message(bytesField(1, name), intField(3, value), intField(20, 2));
}

function intsAttribute(name: string, values: readonly number[]): Uint8Array {
  return message(bytesField(1, name), ...values.map(value => intField(8, value)), intField(20, 7));
}

function floats(name: string, dims: readonly number[], values: readonly number[]): Uint8Array {
  return tensor(name, FLOAT, dims, new Uint8Array(Float32Array.from(values).buffer));
}

function integers(name: string, values: readonly number[]): Uint8Array {
  return tensor(name, INT64, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
}

function tensor(name: string, type: number, dims: readonly number[], data: Uint8Array): Uint8Array {
  return message(...dims.map(dim => intField(1, dim)), intField(2, type), bytesField(8, name), bytesField(9, data));
}

function tensorInfo(name: string, type: number, dims: readonly (number | string)[]): Uint8Array {
  const shape = dims.map(dim => bytesField(1, typeof dim === 'number' ? intField(1, dim) : bytesField(2, dim)));
  return message(
    bytesField(1, name),
    bytesField(2, bytesField(1, message(intField(1, type), bytesField(2, message(...shape))))),
  );
}
