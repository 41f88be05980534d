/**
 * The networks, layers and blocks that come with the product, from the texts in `contract/wire`. The texts are given,
 * not imported: the server reads the files, the pages take them with `?raw`, and neither needs a generated module.
 */
import { type Catalogue, parseCatalogue } from './catalogue.ts'
import type { Block, Document } from './document/document.ts'
import { readLibraryYaml, readYaml } from './yaml/yaml.ts'

export interface LibraryTexts {
  /** `wire/catalogue.json` */
  catalogue: string
  /** `wire/std.yaml` */
  std: string
  /** `wire/networks/<id>.yaml` by id */
  networks: Record<string, string>
}

export interface Library {
  catalogue: Catalogue
  std: ReadonlyMap<string, Block>
  networks: ReadonlyMap<string, Document>
}

/** Throws on a wrong text: these files are part of the product. */
export function parseLibrary(texts: LibraryTexts): Library {
  const networks = new Map<string, Document>()
  for (const [id, text] of Object.entries(texts.networks)) {
    const { document, problems } = readYaml(text)
    if (document === null) throw new Error(`network ${id}: ${JSON.stringify(problems)}`)
    networks.set(id, document)
  }
  return {
    catalogue: parseCatalogue(JSON.parse(texts.catalogue)),
    std: readLibraryYaml(texts.std),
    networks,
  }
}
