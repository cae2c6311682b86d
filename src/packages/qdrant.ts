/**
 * The client for Qdrant. The build bundles it into one file, because the installed package would bring the TypeScript
 * compiler.
 */
export {
  QdrantClient,
  QdrantClientResourceExhaustedError,
  QdrantClientTimeoutError,
} from '@qdrant/js-client-rest';
