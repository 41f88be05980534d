/** Writes a .gz and a .br beside every built file, so that the server never compresses. It changes no file. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Plugin } from 'vite'

/** The network runtime of 14 MB would take half a minute at the best quality, two seconds at this one, for 14 % more. */
const LARGE_BYTES = 4_000_000
const LARGE_QUALITY = 9

export function precompress({ minBytes }: { minBytes: number }): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    // Not when the bundle closes: that happens after an error too, and would hide it.
    writeBundle: {
      // After every other file has been written.
      order: 'post',
      sequential: true,
      async handler() {
        const files = await compressible(folder)
        const work = async (): Promise<void> => {
          for (let file = files.pop(); file !== undefined; file = files.pop()) await compress(file, minBytes)
        }
        // One after the other a first start would wait eight seconds longer on two cores.
        await Promise.all(Array.from({ length: availableParallelism() }, work))
      },
    },
  }
}

/** Source maps are fetched by developers only, the manifest by none. */
async function compressible(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return (
    entries
      .filter((entry) => entry.isFile() && /\.(js|css|html|svg|json|wasm|txt)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('.vite'))
      // The server puts its own address into these, and compresses them itself.
      .filter((file) => !file.startsWith(join(folder, 'rendered')))
  )
}

async function compress(file: string, minBytes: number): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < minBytes) return
  const parameters = {
    [zlib.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? LARGE_QUALITY : zlib.BROTLI_MAX_QUALITY,
    [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [gz, br] = await Promise.all([
    promisify(gzip)(bytes, { level: zlib.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(bytes, { params: parameters }),
  ])
  await Promise.all([writeFile(`${file}.gz`, gz), writeFile(`${file}.br`, br)])
}
