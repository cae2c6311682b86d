/** Loads the packages that run a model. Only an encoder loads the packages, because they are large. */
import { createRequire } from 'node:module';
import type { Tokenizer } from '@huggingface/tokenizers';
import { messageOf } from '../../domain/errors.js';

export type Onnx = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor'>;

/** The runtime that a model uses. */
export interface RuntimeInUse {
  isNative: boolean;
  /** The reason why the native runtime is not used although it is installed. */
  doubt?: string | undefined;
}

export interface Runtime {
  onnx: Onnx;
  Tokenizer: typeof Tokenizer;
  inUse: RuntimeInUse;
}

/**
 * An optional package that users install for more speed. Engraph does not depend on it, because the package takes up
 * 288 MB and downloads more during installation.
 */
const NATIVE_PACKAGE = 'onnxruntime-node';

const require = createRequire(import.meta.url);

/** Whether the native runtime is installed; it may still fail to run on this machine. */
export function isNativeInstalled(): boolean {
  try {
    require.resolve(NATIVE_PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param mayBeNative false in a thread: the native runtime aborts the whole process when its thread is terminated
 * @throws the error of a package that cannot be loaded
 */
export async function loadRuntime(mayBeNative: boolean): Promise<Runtime> {
  const { Tokenizer } = await import('../../packages/tokenizers.js');
  const { onnx: native, doubt } = mayBeNative && isNativeInstalled() ? loadNative() : {};
  if (native) return { onnx: native, Tokenizer, inUse: { isNative: true } };
  const onnx = await import('../../packages/onnxruntime.js');
  // Use one thread. With two, each text took two to three times as long beside other work on two cores.
  onnx.env.wasm.numThreads = 1;
  return { onnx, Tokenizer, inUse: { isNative: false, doubt } };
}

function loadNative(): { onnx?: Onnx; doubt?: string } {
  try {
    return { onnx: require(NATIVE_PACKAGE) as Onnx };
  } catch (error) {
    return { doubt: messageOf(error) };
  }
}
