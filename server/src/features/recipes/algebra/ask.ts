import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { images, masks as limits, recipes } from '@neuroloom/contract/limits'
import type { Algebra } from '@neuroloom/contract/recipes/algebra'
import type { Context } from '../../../infra/context.ts'
import type { Found } from '../folders.ts'
import { refused } from '../refused.ts'
import { nameOf } from '../roles.ts'

type Question = {
  work: Pick<Algebra, 'join' | 'classes' | 'steps'> | null
  samples: readonly (readonly Found[])[]
  /** Groups whose headers are looked at. */
  heads: readonly (readonly Found[])[]
  measured: readonly Found[]
}

/** Puts masks before the engine; answers in their order, of those that are measured perhaps the first alone. */
export function ask(ctx: Context, { id }: { id: string }, { work, samples, heads, measured }: Question) {
  return ctx.maskAnswers
    .ask(id, async (folder) => {
      const laid = async (file: Found, path: string) => {
        await ctx.storage.linkInto(file.sha256, join(folder, path))
        return { path, name: nameOf(file.path) }
      }
      const groups = (list: Question['samples'], mark: string) =>
        Promise.all(
          list.map((files, at) => Promise.all(files.map((file, of) => laid(file, `${mark}${at}.${of}`)))),
        )
      const asked = {
        ...{ maxPixels: images.maxPixels, memoryBytes: recipes.memoryBytes, side: recipes.sampleSide },
        ...{ seconds: limits.measureSeconds, work },
        samples: await groups(samples, 'sample'),
        heads: await groups(heads, 'head'),
        measured: await Promise.all(measured.map((file, at) => laid(file, String(at)))),
      }
      await writeFile(join(folder, 'masks.json'), JSON.stringify(asked))
    })
    .catch(refused)
}
