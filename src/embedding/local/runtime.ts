/** The packages that run a model. They are large, and loaded only by an encoder. */
import { createRequire } from 'node:module';
import type { Tokenizer } from '@huggingface/tokenizers';
import { messageOf } from '../../domain/errors.js';

export type Onnx = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor'>;

/** What a model runs on. */
export interface RuntimeInUse {
  isNative: boolean;
  /** Why it is not the native one, which is installed. */
  doubt?: string | undefined;
}

export interface Runtime {
  onnx: Onnx;
  Tokenizer: typeof Tokenizer;
  inUse: RuntimeInUse;
}

/** Those who want more speed install it beside us. We do not: it has 288 MB, and downloads more when it is installed. */
const NATIVE_PACKAGE = 'onnxruntime-node';

const require = createRequire(import.meta.url);

/** Whether the native runtime is installed, which does not say that it runs here. */
export function isNativeInstalled(): boolean {
  try {
    require.resolve(NATIVE_PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param mayBeNative false in a thread: the native runtime aborts the whole process when a thread of it is ended in the middle
 * @throws whatever says that a package cannot be loaded
 */
export async function loadRuntime(mayBeNative: boolean): Promise<Runtime> {
  const { Tokenizer } = await import('../../packages/tokenizers.js');
  const { onnx: native, doubt } = mayBeNative && isNativeInstalled() ? loadNative() : {};
  if (native) return { onnx: native, Tokenizer, inUse: { isNative: true } };
  const onnx = await import('../../packages/onnxruntime.js');
  // Texts are shared out among encoders, which wastes less than sharing out each text.
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
