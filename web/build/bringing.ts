/** Every `import()` of the built site fetches its files through src/lib/bring.ts, in the place of Vite's own helper, after whose failure there is no second try. */
import type { Plugin } from 'vite'

/** As Vite calls its helper. */
const helper = '\0vite/preload-helper.js'

export function bringing(): Plugin {
  return {
    name: 'bringing',
    apply: 'build',
    // Before Vite's own.
    enforce: 'pre',
    load: (id) => (id === helper ? `export { bring as __vitePreload } from '/src/lib/bring.ts'` : null),
  }
}
