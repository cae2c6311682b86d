/**
 * The runtime for models. The build bundles only the variant that runs here, because the package contains 139 MB of
 * variants.
 */
export { env, InferenceSession, Tensor } from 'onnxruntime-web';
