/** Folders of images and texts as recognition sees them, without a cloud and without an engine. */
import type { FileFacts } from '@neuroloom/contract/engine'
import type { Task } from '@neuroloom/contract/task'
import { assemble } from '../src/features/datasets/recognise/assemble.ts'
import { withOrigins } from '../src/features/datasets/recognise/origins.ts'
import { recognise } from '../src/features/datasets/recognise/recognise.ts'
import type { Assembled, Folder } from '../src/features/datasets/recognise/shapes.ts'

export const facts: FileFacts = {
  ...{ format: 'png', width: 100, height: 50, depth: null, spacing: null, orientation: null },
  ...{ channels: 1, bits: 8, mean: 0.5, std: 0.1, values: null },
}

export const folderOf = (files: Record<string, string>): Folder => ({
  paths: Object.keys(files),
  emptyFolders: [],
  read: async (path, maxBytes) => {
    const text = files[path]
    return text === undefined || text.length > maxBytes ? null : text
  },
})

/** Every image is 100 by 50 pixels and can be read. */
export async function made(
  task: Task,
  files: Record<string, string>,
): Promise<Assembled & { failed: string | null }> {
  const folder = folderOf(files)
  const layout = await recognise(folder, task)
  if (layout.layout === null) {
    const none = { items: [], classes: [], maskValues: {}, channels: 1, factor: null, facts: null } as const
    return {
      ...none,
      items: [],
      classes: [],
      failure: null,
      problems: layout.problems ?? [],
      failed: layout.failure,
    }
  }
  const look = { sha256: (path: string) => path, check: () => ({ facts, reason: null }) }
  const found = await withOrigins(assemble(layout, look), folder)
  return { ...found, failed: found.failure ?? (layout.task === task ? null : 'task_differs') }
}
export const said = ({ problems }: Assembled) =>
  problems.map(({ path, reason, params }) => [path, reason, params])
export const images = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']))
