/** The calls of the image–label doctor: which image belongs to which mask, what both are like, and how a repair would look. */
import * as z from 'zod'
import { recipes as limits } from '../limits.ts'
import { route } from '../route.ts'
import { pairings } from './pairings.ts'
import { prepareReasonSchema } from './recipe.ts'
import { imageLookSchema, maskLookSchema, repairSchema } from './repair.ts'

const id = z.string().min(1).max(40)

const fileSchema = z.object({ id: z.string(), path: z.string() })

export const examinedSchema = z.object({
  image: fileSchema,
  mask: fileSchema,
  by: z.enum(pairings),
  /** Null with the reason why it could not be read. */
  imageLook: imageLookSchema.nullable(),
  imageReason: prepareReasonSchema.nullable(),
  maskLook: maskLookSchema.nullable(),
  maskReason: prepareReasonSchema.nullable(),
})
export type Examined = z.infer<typeof examinedSchema>

const examination = z.object({
  /** Pairs in all, and the first that was not looked at yet; null = this was the end. */
  total: z.int(),
  next: z.int().nullable(),
  pairs: z.array(examinedSchema),
  imagesAlone: z.array(fileSchema),
  masksAlone: z.array(fileSchema),
  /** Folders that hold images, and which of them were taken for masks. */
  folders: z.array(z.object({ id: z.string(), path: z.string(), images: z.int() })),
  maskIds: z.array(z.string()),
})
export type Examination = z.infer<typeof examination>

const previewSchema = z.object({
  /** Data addresses of the image with the mask over it. */
  before: z.string(),
  after: z.string().nullable(),
  reason: prepareReasonSchema.nullable(),
})

export const doctorCalls = {
  'recipes/examine': route({
    summary: 'Some pairs of images and masks of a folder, and what each is like; the next ones by `from`',
    request: z.object({
      folderId: id,
      /** Folders whose images are masks; null = by their names. */
      maskIds: z.array(id).max(50).nullable().default(null),
      from: z.int().min(0).max(limits.pairs).default(0),
    }),
    response: examination,
    errors: ['missing', 'too_many_files', 'recipe_no_pairs', 'too_much_at_once', 'busy', 'work_too_large'],
  }),
  'recipes/tryRepair': route({
    summary: 'An image with its mask over it, before and after a repair',
    request: z.object({ imageId: id, maskId: id, repairs: z.array(repairSchema).max(limits.repairs) }),
    response: previewSchema.nullable(),
    errors: ['missing', 'too_much_at_once', 'busy', 'work_too_large'],
  }),
}
