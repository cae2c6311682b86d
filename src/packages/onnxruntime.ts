/**
 * The runtime for models. The package contains variants of 139 MB in total, so the build bundles only the variant that
 * Engraph uses.
 */
export { env, InferenceSession, Tensor } from 'onnxruntime-web';
