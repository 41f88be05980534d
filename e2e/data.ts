/** Folders of pictures for the journeys: real sets where they are, else synthetic ones that can fail as well. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { cellKinds, drawCell, drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { root } from './stack.ts'

export const sharedData = process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data')

export type Folder = { path: string; name: string; files: number; isReal: boolean }

/** Copies a real set (or a part of it, `keep` by relative path) below a folder of the given name. */
export function pictureFolder({
  set,
  name,
  keep = () => true,
  synthetic,
}: {
  set: string
  name: string
  keep?: (path: string) => boolean
  synthetic: (folder: string) => void
}): Folder {
  const target = join(mkdtempSync(join(tmpdir(), 'pictures-')), name)
  const source = join(sharedData, set)
  const isReal = existsSync(source)
  if (isReal) copyBelow(source, target, keep)
  else {
    process.stdout.write(`${set} is not at ${sharedData}: a synthetic set takes its place.\n`)
    synthetic(target)
  }
  return { path: target, name: basename(target), files: filesBelow(target).length, isReal }
}

/** A folder of the given name with what is drawn into it. */
export function syntheticFolder(name: string, draw: (folder: string) => void): Folder {
  const path = join(mkdtempSync(join(tmpdir(), 'pictures-')), name)
  draw(path)
  return { path, name, files: filesBelow(path).length, isReal: false }
}

/** Three kinds of drawn cells, `perClass` each; smaller ones are learned sooner. */
export function drawClasses(folder: string, { perClass = 60, side = 64 } = {}) {
  for (const [kindIndex, kind] of cellKinds.entries()) {
    for (let index = 0; index < perClass; index++) {
      write(join(folder, kind, `${index}.png`), encodePng(drawCell(kind, 1 + index + 1000 * kindIndex, side)))
    }
  }
}

/** Fields of drawn cells with their masks. */
export function drawMasks(folder: string, count = 40) {
  for (let index = 0; index < count; index++) {
    const { image, mask } = drawField(index + 1)
    write(join(folder, 'images', `${index}.png`), encodePng(image))
    write(join(folder, 'labels', `${index}.png`), encodePng(mask))
  }
}

export function write(path: string, bytes: Uint8Array | string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

function copyBelow(source: string, target: string, keep: (path: string) => boolean) {
  for (const file of filesBelow(source)) {
    const path = relative(source, file)
    if (!keep(path)) continue
    mkdirSync(dirname(join(target, path)), { recursive: true })
    copyFileSync(file, join(target, path))
  }
}
