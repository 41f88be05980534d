/** Batch prediction: a trained network applied to images of the cloud that nobody has labelled. */
import * as z from 'zod'
import { dicomReasons } from './dicom-data.ts'
import { fileReasons } from './file-reasons.ts'
import { files, predictions } from './limits.ts'
import { recipeSchema } from './recipes/recipe.ts'
import { route } from './route.ts'
import { runSchema } from './runs.ts'

const id = z.string().min(1).max(40)

/** Why nothing is said of a file; locale keys `predict.reason.<name>`. */
export const setAsideReasons = [
  ...fileReasons,
  ...dicomReasons,
  /** Deleted, or no longer shared, between choosing and reading. */
  'missing',
  /** By its name no image, or no volume, of the kind that the network reads. */
  'other_kind',
  /** The recipe of the training's images could not be done with it. */
  'not_prepared',
] as const
export const setAsideSchema = z.object({
  /** Path below what was chosen. */
  name: z.string(),
  reason: z.enum(setAsideReasons),
})
export type SetAside = z.infer<typeof setAsideSchema>

export const predictionSourceShape = {
  /** Either a folder, whose files at all depths count, or files. */
  folderId: id.nullable().default(null),
  fileIds: z.array(id).max(files.idsPerCall).default([]),
  /** Does with each file what was done with those that the network learned from. */
  replay: z.boolean().default(false),
}

export const predictionCalls = {
  'runs/predict': route({
    summary:
      'Queue a run that applies a trained network to a folder or to files of the cloud, own or shared; it measures nothing',
    request: z.object({
      /** The training. */
      id,
      ...predictionSourceShape,
    }),
    response: runSchema,
    errors: [
      'run_missing',
      'not_allowed',
      'train_first',
      'missing',
      'prediction_source_needed',
      'prediction_too_many',
      'prediction_no_pictures',
      'prediction_no_volumes',
    ],
  }),
  'runs/recipe': route({
    summary:
      'By which recipe the images of a training were prepared, or those of a prediction before the network saw them',
    request: z.object({ id }),
    response: z.object({ recipe: recipeSchema.nullable() }),
    errors: ['run_missing'],
  }),
  'runs/setAside': route({
    summary: 'A page of the files of which a prediction says nothing, each with its reason',
    request: z.object({ id, after: z.int().min(0).max(predictions.files).default(0) }),
    response: z.object({ setAside: z.array(setAsideSchema), next: z.int().nullable(), total: z.int() }),
    errors: ['run_missing'],
  }),
}
