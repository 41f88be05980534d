/** Reads the product's own texts and the example networks for tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import type { Document } from '@neuroloom/contract/network/document/document'
import { readDocument } from '@neuroloom/contract/network/document/document'
import { parseLibrary } from '@neuroloom/contract/network/library'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'

const wire = new URL('../../wire/', import.meta.url)

/** Every network that comes with the product, and those that the AI builder offers. */
export const exampleIds = readdirSync(new URL('networks/', wire)).map((name) => name.replace('.yaml', ''))
/** Each once: some serve several tasks. */
export const builtInIds: readonly string[] = [...new Set<string>(Object.values(builtInNetworks).flat())]

export const wireText = (path: string) => readFileSync(new URL(path, wire), 'utf8')
export const exampleText = (id: string) => wireText(`networks/${id}.yaml`)
export const expectedText = () => readFileSync(new URL('expected.json', import.meta.url), 'utf8')

export const library = parseLibrary({
  catalogue: wireText('catalogue.json'),
  std: wireText('std.yaml'),
  networks: Object.fromEntries(exampleIds.map((id) => [id, exampleText(id)])),
})

export function builtIn(id: string): Document {
  const document = library.networks.get(id)
  if (document === undefined) throw new Error(`no network ${id}`)
  return document
}

/** A document from text that must be right. */
export function makeDocument(text: string): Document {
  const { document, problems } = readYaml(text)
  if (document === null) throw new Error(JSON.stringify(problems))
  return document
}

/** A document from plain data: one 3×32×32 picture in, the given nodes, no head unless given. */
export function makeNetwork(parts: Record<string, unknown>): Document {
  const { document, problems } = readDocument({
    dripe: 1,
    name: 'made',
    task: 'image-processing',
    inputs: { image: { kind: 'image', channels: 3, size: [32, 32] } },
    ...parts,
  })
  if (document === null) throw new Error(JSON.stringify(problems))
  return document
}
