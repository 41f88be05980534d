/** What documents need beside the reader itself: character maps, standard fonts, decoders. Copied as they are, fetched one by one. */
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const name = 'virtual:pdf-data'
const source = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
/** With the version, because what lies below assets/ is never asked for again. */
const place = `assets/pdf-${version}`

/** Nothing that runs a document's own programs. */
const wanted: Record<string, RegExp> = {
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  wasm: /^(openjpeg|jbig2|qcms_bg)\.wasm$|^LICENSE_(?!.*QUICKJS)/,
  iccs: /\.icc$|^LICENSE/,
}

/** `import { pdfData } from 'virtual:pdf-data'` gives the address of the folder. */
export function pdfData(): Plugin {
  return {
    name: 'pdf-data',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? `export const pdfData = ${JSON.stringify(`/${place}/`)}` : null),
    configureServer({ middlewares }) {
      middlewares.use(`/${place}`, ({ url = '' }, response, next) => {
        const [, folder = '', file = ''] = /^\/(\w+)\/([\w.-]+)$/.exec(url) ?? []
        const path = join(source, folder, file)
        if (wanted[folder]?.test(file) && existsSync(path)) createReadStream(path).pipe(response)
        else next()
      })
    },
    generateBundle() {
      for (const [folder, pattern] of Object.entries(wanted)) {
        for (const file of readdirSync(join(source, folder)).filter((one) => pattern.test(one))) {
          const bytes = readFileSync(join(source, folder, file))
          this.emitFile({ type: 'asset', fileName: `${place}/${folder}/${file}`, source: bytes })
        }
      }
    },
  }
}
