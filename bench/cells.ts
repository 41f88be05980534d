/** A project with drawn cells, recognised as data: what benches train on where the pictures do not matter. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellKinds, drawCell } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { type Client, poll, uploadFolder } from './client.ts'

type Wish = { name: string; items: number; side: number }

export async function makeCells(client: Client, { name, items, side }: Wish) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cells-'))
  for (let index = 0; index < items; index += 1) {
    const kind = cellKinds[index % cellKinds.length] ?? 'round'
    mkdirSync(join(folder, kind), { recursive: true })
    writeFileSync(join(folder, kind, `${index}.png`), encodePng(drawCell(kind, 1000 + index, side)))
  }
  const { folderId } = await uploadFolder(client, folder, { name })
  rmSync(folder, { recursive: true })
  const { id: projectId } = await client.call('projects/create', { name, task: 'classification' })
  const made = await client.call('datasets/recognise', { projectId, folderId })
  const dataset = await poll(
    () => client.call('datasets/detail', { id: made.id }),
    ({ state }) => state !== 'checking',
  )
  return { projectId, folderId, parts: dataset.parts.map(({ id }) => id) }
}
