/** Determines the model that the settings name, and the facts that are known before the model's files are present. */
import { basename, join, resolve } from 'node:path';
import { type ErrorCode, MemoryError, messageOf } from '../../domain/errors.js';
import type { EmbeddingSettings, LocalModelSettings } from '../../domain/settings.js';
import { type ModelProfile, profileOf } from '../model-profiles.js';
import { fingerprint } from './checksum.js';
import { readManifest } from './manifest.js';
import { listModelFiles, readHiddenSize } from './model-files.js';

export interface ModelChoice {
  /** The model's name in the form `owner/name`, or the name of the model's folder. */
  name: string;
  /**
   * Identifies the vector space. For a model of the hub, this is the name of the model, whether or not the model is
   * quantised. A folder may contain any model, so for a folder, a checksum of its content is added to its name.
   */
  spaceName: string;
  folder: string;
  profile: ModelProfile;
  /**
   * Where the model is: the path of the ONNX file in the folder, or the address of the hub from which the model must be
   * downloaded first.
   */
  origin: { weights: string } | { hubUrl: string };
}

/** Matches the names that the hub allows, except names with `..`, which could lead out of the folder of the models. */
const MODEL_NAME = /^(?!.*\.\.)[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/** @throws MemoryError `invalid` as in `findChoice`, or when the vectors are known to be longer than VECTOR_SIZE */
export async function chooseModel({ local, dimensions }: EmbeddingSettings): Promise<ModelChoice> {
  const choice = await findChoice(local);
  const known = 'weights' in choice.origin ? await readHiddenSize(choice.folder) : choice.profile.dimensions;
  if (known !== undefined && known > dimensions) throw tooManyDimensions('invalid', known, dimensions);
  return choice;
}

/** @throws MemoryError `invalid` when the model's name is malformed, or the folder does not contain a model */
export async function findChoice(local: LocalModelSettings): Promise<ModelChoice> {
  return local.path === undefined ? chooseFromHub(local) : chooseFolder(local.path);
}

export function tooManyDimensions(code: ErrorCode, count: number, dimensions: number): MemoryError {
  return new MemoryError(
    code,
    `The local model makes vectors of ${count} dimensions, more than VECTOR_SIZE=${dimensions}: set VECTOR_SIZE=${count}, ` +
      'or choose another LOCAL_EMBEDDING_MODEL',
  );
}

async function chooseFromHub({ model, folder: root, hubUrl }: LocalModelSettings): Promise<ModelChoice> {
  if (!MODEL_NAME.test(model))
    throw new MemoryError(
      'invalid',
      `LOCAL_EMBEDDING_MODEL must be multilingual or a model in the form owner/name, but is '${model}'`,
    );
  const folder = join(root, ...model.split('/'));
  const origin = (await readManifest(folder)) ?? { hubUrl };
  return { name: model, spaceName: model, folder, profile: profileOf(model), origin };
}

async function chooseFolder(path: string): Promise<ModelChoice> {
  const folder = resolve(path);
  const name = basename(folder);
  try {
    const { weights, files } = await listModelFiles(folder);
    const spaceName = `${name}:${await fingerprint(folder, files)}`;
    return { name, spaceName, folder, profile: profileOf(name), origin: { weights } };
  } catch (error) {
    const problem = messageOf(error);
    throw new MemoryError('invalid', `LOCAL_EMBEDDING_PATH is not the folder of a model: ${problem}`, { cause: error });
  }
}
