/**
 * The client for Qdrant. The build bundles the client into one file, because an installed package would also install
 * the TypeScript compiler.
 */
export {
  QdrantClient,
  QdrantClientResourceExhaustedError,
  QdrantClientTimeoutError,
} from '@qdrant/js-client-rest';
