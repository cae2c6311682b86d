/** The runtime of models, of whose many builds the build takes the one that runs here: the package has 139 MB of them. */
export { env, InferenceSession, Tensor } from 'onnxruntime-web';
