/** The client of Qdrant, which the build makes one file of: installed as a package it would bring the TypeScript compiler. */
export {
  QdrantClient,
  QdrantClientResourceExhaustedError,
  QdrantClientTimeoutError,
} from '@qdrant/js-client-rest';
