/** Writes a .gz and a .br beside every built file, so that the server never compresses. It changes no file. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Plugin } from 'vite'

export function precompress({ minBytes }: { minBytes: number }): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async closeBundle(error) {
      if (error) return
      for (const file of await compressible(folder)) await compress(file, minBytes)
    },
  }
}

/** Source maps are fetched by developers only, the manifest by none. */
async function compressible(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg|json|wasm|txt)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('.vite'))
}

async function compress(file: string, minBytes: number): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < minBytes) return
  const parameters = {
    [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
    [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [gz, br] = await Promise.all([
    promisify(gzip)(bytes, { level: zlib.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(bytes, { params: parameters }),
  ])
  await Promise.all([writeFile(`${file}.gz`, gz), writeFile(`${file}.br`, br)])
}
